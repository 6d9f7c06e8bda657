import type Koa from 'koa'
import type { Logger } from 'pino'
import type { RequestState } from './state.ts'

/** The status in the log line of a request whose caller left before the response. */
const callerLeft = 499

/**
 * Logs one line for each request when its response is sent. The line names the route by its template and holds neither
 * path, query, body nor credential, because those carry phones and keys.
 */
export function accessLog(log: Logger): Koa.Middleware<RequestState> {
  return (ctx, next) => {
    const startedAt = performance.now()
    ctx.res.once('close', () => {
      const { requestId, inboundId, endpoint, organizationId, errorCode } = ctx.state
      log.info(
        {
          event: 'request',
          requestId,
          inboundId,
          route: endpoint ?? null,
          status: ctx.res.writableFinished ? ctx.res.statusCode : callerLeft,
          duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
          organizationId,
          error_code: errorCode,
        },
        'request',
      )
    })
    return next()
  }
}
