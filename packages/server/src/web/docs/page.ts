import path from 'node:path'
import type Koa from 'koa'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { builtFolders, openBuilt, sendBuilt } from '#web/built-files.ts'

/** Everything comes from this host, and nothing is written into the pages that a browser would execute. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = { 'Content-Security-Policy': policy }

/**
 * Serves the documentation below GET /docs, from memory: the pages that packages/docs renders. All addresses in them
 * are relative, so that they also work below a prefix that a proxy takes away.
 */
export function docs(folders: readonly string[] = builtFolders('docs')): Koa.Middleware<RequestState> {
  const open = openBuilt(folders, 'The documentation')

  async function serve(ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
    const files = await open()
    const name = ctx.path.slice(1)
    const isPage = path.extname(name) === ''
    const file = files.get(isPage ? `${name}.html` : name)
    // An asset with a version in its address never changes.
    const isLasting = !isPage && typeof ctx.query.v === 'string'
    if (file) return sendBuilt(ctx, isPage ? `${name}.html` : name, file, { headers, isLasting })
    // A slash too many at the end of a page.
    if (name.endsWith('/') && files.has(`${name.slice(0, -1)}.html`))
      return ctx.redirect(`../${name.split('/').at(-2)}`)
    return next()
  }

  return routed((router) => {
    router.get(['/docs', '/docs/{*page}'], serve)
  })
}
