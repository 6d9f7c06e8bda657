import type Koa from 'koa'
import type { Services } from '#services.ts'
import type { RequestState } from './state.ts'

/** The status of a request whose caller left before the response. */
const callerLeft = 499

/**
 * Logs and counts each request when its response is sent. The line and the series name the route by its template and
 * hold neither path, query, body nor credential: those carry phones and keys, and each path would be a series of its
 * own.
 */
export function recordRequest({ log, metrics }: Pick<Services, 'log' | 'metrics'>): Koa.Middleware<RequestState> {
  return (ctx, next) => {
    const startedAt = performance.now()
    ctx.res.once('close', () => {
      const { requestId, inboundId, endpoint, organizationId, errorCode } = ctx.state
      const route = endpoint ?? null
      const status = ctx.res.writableFinished ? ctx.res.statusCode : callerLeft
      const durationMs = performance.now() - startedAt
      metrics.requestServed(route, status, durationMs / 1000)
      log.info(
        {
          event: 'request',
          requestId,
          inboundId,
          route,
          status,
          duration_ms: Math.round(durationMs * 10) / 10,
          organizationId,
          error_code: errorCode,
        },
        'request',
      )
    })
    return next()
  }
}
