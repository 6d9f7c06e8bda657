import type Koa from 'koa'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { builtFolders } from '#web/built-files.ts'
import { openSite } from '#web/console/site.ts'

/**
 * Serves the pages that links open, with and without the console: GET /account for the links of mails, /connect and
 * /approve for AI clients. It is one page of the console's package, whose script reads the path; its files lie below
 * /account/assets/. All addresses are relative, so that it also works below a prefix that a proxy takes away.
 */
export function linkPages(folders = builtFolders('console', 'pages')): Koa.Middleware<RequestState> {
  const site = openSite(folders, 'pages.html')
  return routed((router) => {
    router.get(['/account', '/connect', '/approve'], (ctx) => site.sendPage(ctx, 'account/'))
    router.get('/account/assets/:name', async (ctx) => {
      await site.sendFile(ctx, `assets/${ctx.params.name}`)
    })
  })
}
