import type Koa from 'koa'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import type { CombinedGateway } from '#networks/gateway/combined.ts'

const pathForm = /^\/gateway\/files\/([\w-]{20,100})$/

/**
 * Serves the files of sends under way to hosts of the chat networks: GET /gateway/files/:token, outside of the API. The
 * token alone permits it; an unknown one gets 404 and nothing else.
 */
export function filesRoute(gateway: Pick<CombinedGateway, 'file'>): Koa.Middleware<RequestState> {
  function send(ctx: Koa.Context, token: string): void {
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
  return routed((router) => {
    // The router also matches HEAD, for which the bytes would be opened and never read.
    router.get(pathForm, (ctx, next) => (ctx.method === 'GET' ? send(ctx, ctx.captures?.[0] ?? '') : next()))
  })
}
