import type Koa from 'koa'
import type { RequestState } from './state.ts'

/** Responds to `GET /metrics` with the text of `scrape`. */
export function metrics(scrape: () => Promise<{ type: string; body: string }>): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    const { type, body } = await scrape()
    ctx.set('Cache-Control', 'no-store')
    ctx.type = type
    ctx.body = body
  }
}
