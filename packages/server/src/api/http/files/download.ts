import type { Readable } from 'node:stream'
import { create } from 'content-disposition'
import type Koa from 'koa'

/** A file to respond with. Its bytes are closed when the caller leaves. */
export interface FileToSend {
  readonly bytes: Readable
  readonly mimetype: string
  readonly filename: string
}

/** Types that a browser shows and never runs. Everything else is sent as bytes without a type. */
const shownTypes = /^(?:image\/(?:jpeg|png|webp|gif)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/

/**
 * Responds with a file that a stranger sent. It is always a download, and it has a type only if no browser runs that
 * type, because it is served from the address of the service.
 */
export function serveFile(ctx: Koa.Context, { bytes, mimetype, filename }: FileToSend): void {
  const [type = ''] = mimetype.toLowerCase().split(/(?<!\s)\s*;/, 1)
  ctx.status = 200
  ctx.set('Content-Type', shownTypes.test(type) ? type : 'application/octet-stream')
  ctx.set('Content-Disposition', create(filename))
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox")
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.body = bytes
}
