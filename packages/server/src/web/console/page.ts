import path from 'node:path'
import type Koa from 'koa'
import { apiError } from '#platform/errors.ts'
import { type BuiltFile, builtFolders, readBuilt, sendBuilt, toFile } from '#web/built-files.ts'

/** Nothing is loaded from another host, nothing in the page is executed, and no other page can frame this one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

const root = '/console/'
const start = 'index.html'

/**
 * Serves the files of the console below GET /console/, from memory. A path without an ending is a page of the console,
 * whose script reads the path. Browsers that ask for / are led there. All addresses are relative, so that the console
 * also works below a prefix that a proxy takes away.
 */
export function consolePage(folders: readonly string[] = builtFolders('console')): Koa.Middleware {
  let read: Promise<ReadonlyMap<string, BuiltFile>> | undefined

  async function serve(ctx: Koa.Context): Promise<void> {
    read ??= readBuilt(folders)
    const files = await read
    if (files.size === 0) throw apiError('ROUTE_NOT_FOUND', 'The console is not built. Run: npm run build')
    const name = ctx.path.slice(root.length)
    const file = files.get(name)
    if (file && name !== start) return send(ctx, name, file)
    const page = files.get(start)
    if (page && (name === start || path.extname(name) === '')) send(ctx, start, pageAt(page, name))
  }

  return (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/' && ctx.get('Accept').includes('text/html')) return ctx.redirect('console/')
    if (ctx.path === '/console') return ctx.redirect('console/')
    return ctx.path.startsWith(root) ? serve(ctx) : next()
  }
}

/** Returns the page for an address: its paths are relative, and lead up from where the address lies. */
function pageAt({ plain }: BuiltFile, name: string): BuiltFile {
  const up = '../'.repeat(name.split('/').length - 1) || './'
  return toFile(Buffer.from(plain.toString('utf8').replaceAll('="./', `="${up}`)))
}

function send(ctx: Koa.Context, name: string, file: BuiltFile): void {
  // The build puts a hash into the names of these files.
  sendBuilt(ctx, name, file, { headers, isLasting: name.startsWith('assets/') })
}
