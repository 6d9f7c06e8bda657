import path from 'node:path'
import type Koa from 'koa'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { builtFolders } from '#web/built-files.ts'
import { openSite } from './site.ts'

const root = '/console/'
const start = 'index.html'

/**
 * Serves the files of the console below GET /console/. A path without an ending is a page of the console, whose script
 * reads the path. Browsers that ask for / are led there. All addresses are relative, so that the console also works
 * below a prefix that a proxy takes away.
 */
export function consolePage(folders = builtFolders('console')): Koa.Middleware<RequestState> {
  const site = openSite(folders, start)
  return routed((router) => {
    router.get('/', (ctx, next) => (ctx.get('Accept').includes('text/html') ? ctx.redirect('console/') : next()))
    router.get('/console', (ctx) => ctx.redirect('console/'))
    router.get(`${root}{*page}`, async (ctx) => {
      const name = ctx.path.slice(root.length)
      if (await site.sendFile(ctx, name)) return
      const up = '../'.repeat(name.split('/').length - 1) || './'
      if (name === start || path.extname(name) === '') await site.sendPage(ctx, up)
    })
  })
}
