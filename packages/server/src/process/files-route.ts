import type Koa from 'koa'
import type { CombinedGateway } from '#networks/gateway/combined.ts'

const pathForm = /^\/gateway\/files\/(?<token>[\w-]{20,100})$/

/**
 * Serves the files of sends under way to hosts of the chat networks: GET /gateway/files/:token, outside of the API. The
 * token alone permits it; an unknown one gets 404 and nothing else.
 */
export function filesRoute(gateway: Pick<CombinedGateway, 'file'>): Koa.Middleware {
  return async (ctx, next) => {
    const { token } = pathForm.exec(ctx.path)?.groups ?? {}
    if (ctx.method !== 'GET' || token === undefined) return next()
    ctx.set('Cache-Control', 'no-store')
    const file = gateway.file(token)
    if (!file) {
      ctx.status = 404
      ctx.body = ''
      return
    }
    ctx.type = file.mimetype
    ctx.length = file.sizeBytes
    ctx.body = file.bytes()
  }
}
