import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type Koa from 'koa'
import { makeSite } from './prebuilt.ts'
import type { SiteFile } from './site/site.ts'

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

const yearSeconds = 31_536_000

/** A file as it is sent, in both encodings. */
interface Packed extends SiteFile {
  readonly etag: string
  readonly gzipped: Promise<Buffer>
}

function pack(file: SiteFile): Packed {
  const etag = `"${createHash('sha256').update(file.text).digest('base64url')}"`
  return { ...file, etag, gzipped: promisify(gzip)(file.text) }
}

/**
 * Serves the documentation below GET /docs: pages that are rendered from the contract and the guides, by the build or
 * at the first request, then kept. All addresses in them are relative, so that they also work below a prefix that a
 * proxy takes away.
 */
export function docs(): Koa.Middleware {
  let site: ReadonlyMap<string, SiteFile> | undefined
  const packed = new Map<string, Packed>()

  function find(path: string): Packed | undefined {
    site ??= makeSite()
    const kept = packed.get(path)
    if (kept) return kept
    const file = site.get(path)
    if (file) packed.set(path, pack(file))
    return packed.get(path)
  }

  async function send(ctx: Koa.Context, { type, text, etag, gzipped }: Packed): Promise<void> {
    // An asset with a version in its address never changes.
    const lasting = type !== 'html' && typeof ctx.query.v === 'string'
    const caching = lasting ? `public, max-age=${yearSeconds}, immutable` : 'no-cache'
    ctx.set({ ETag: etag, 'Cache-Control': caching, 'Content-Security-Policy': policy })
    ctx.vary('Accept-Encoding')
    ctx.type = type
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
    } else if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip')
      ctx.body = await gzipped
    } else {
      ctx.body = text
    }
  }

  return (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || !/^\/docs(?:\/|$)/.test(ctx.path)) return next()
    const file = find(ctx.path.slice(1))
    if (file) return send(ctx, file)
    // A slash too many at the end of a page.
    if (/[^/]\/$/.test(ctx.path) && find(ctx.path.slice(1, -1))) return ctx.redirect(`../${ctx.path.split('/').at(-2)}`)
    return next()
  }
}
