import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type Koa from 'koa'

/** Every address is relative, so that the page also works below a prefix that a proxy takes away. */
const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="icon" href="data:,">
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The API as an OpenAPI document: <a href="api/v1/openapi.json">openapi.json</a></noscript>
    <redoc spec-url="api/v1/openapi.json" hide-download-button="true" json-samples-expand-level="3"></redoc>
    <script src="docs/redoc.js"></script>
  </body>
</html>
`

/**
 * Nothing may be loaded from another host. Redoc writes its styles into the page, and searches in a worker that it makes
 * from text; everything else is refused.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Script {
  readonly etag: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

/** Returns Redoc as one script, without its logo, which is on another host. */
async function loadScript(): Promise<Script> {
  const file = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')
  const text = (await readFile(file, 'utf8'))
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replace(/\n\/\/# sourceMappingURL=.*/, '')
  const plain = Buffer.from(text)
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`
  return { etag, plain, gzipped: await promisify(gzip)(plain) }
}

/** Serves GET /docs, the API reference as a page, and the one script it loads; everything comes from this host. */
export function docs(): Koa.Middleware {
  let script: Promise<Script> | undefined

  async function serveScript(ctx: Koa.Context): Promise<void> {
    script ??= loadScript()
    const { etag, plain, gzipped } = await script
    ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' })
    ctx.vary('Accept-Encoding')
    ctx.type = 'text/javascript'
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
    } else if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip')
      ctx.body = gzipped
    } else {
      ctx.body = plain
    }
  }

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/docs') {
      ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' })
      ctx.type = 'html'
      ctx.body = html
    } else if (ctx.path === '/docs/redoc.js') {
      await serveScript(ctx)
    } else if (ctx.path === '/docs/') {
      ctx.redirect('../docs')
    } else {
      await next()
    }
  }
}
