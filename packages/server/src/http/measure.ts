import type Koa from 'koa'
import type { Services } from '../services.ts'
import type { RequestState } from './state.ts'

/** The status of a request whose caller left before the response. */
const callerLeft = 499

/** Counts every request when its response is sent, by the template of its route: each path would be a series of its own. */
export function measure(meters: Services['metrics']): Koa.Middleware<RequestState> {
  return (ctx, next) => {
    const startedAt = performance.now()
    ctx.res.once('close', () => {
      const status = ctx.res.writableFinished ? ctx.res.statusCode : callerLeft
      meters.requestServed(ctx.state.endpoint ?? null, status, (performance.now() - startedAt) / 1000)
    })
    return next()
  }
}

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
