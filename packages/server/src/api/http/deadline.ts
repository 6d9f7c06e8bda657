import type Koa from 'koa'
import type { ApiError } from '#platform/errors.ts'
import { apiError } from '#platform/errors.ts'
import type { Log } from '#platform/log/log-events.ts'
import { busy } from './map-database-error.ts'
import type { RequestState } from './state.ts'

type Context = Koa.ParameterizedContext<RequestState>

/**
 * Longer than the longest work of a route: the check of a recipient, a download, a send and what is stored take 85 s.
 */
const longestWorkMs = 100_000

/** How long a request may take. */
export interface DeadlineOptions {
  /** How long its body may take to arrive, which does not count as work. */
  readonly bodyTimeoutMs: number
  /** Default: 100 s. */
  readonly workMs?: number | undefined
}

/**
 * Responds to a request whose work does not end, because something behind it does not respond: with SERVICE_BUSY, or
 * with INTERNAL_ERROR when it may have changed something. The work itself continues, and its result is dropped. A
 * response that has begun, such as a stream, has no deadline.
 */
export function deadline(
  log: Log,
  { bodyTimeoutMs, workMs = longestWorkMs }: DeadlineOptions,
): Koa.Middleware<RequestState> {
  return (ctx, next) =>
    new Promise((resolve, reject) => {
      const hasBody =
        ctx.req.headers['content-length'] !== undefined || ctx.req.headers['transfer-encoding'] !== undefined
      let timer = setTimeout(expire, hasBody ? bodyTimeoutMs + workMs : workMs)
      if (hasBody) {
        ctx.req.once('end', () => {
          clearTimeout(timer)
          timer = setTimeout(expire, workMs)
        })
      }
      function expire(): void {
        if (ctx.headerSent || ctx.respond === false) return
        const { requestId, endpoint } = ctx.state
        log.error({ event: 'request_overdue', requestId, route: endpoint }, 'gave up a request whose work does not end')
        reject(overdue(ctx))
      }
      next()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
}

function overdue(ctx: Context): ApiError {
  const { endpoint, handed } = ctx.state
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (isRead || (endpoint !== undefined && !handed)) return busy()
  const isSend = endpoint !== undefined && /^POST \/(?:alert|otp)\//.test(endpoint)
  const text = 'Something behind the service does not respond; whether the change was made is not known.'
  return isSend ? apiError('INTERNAL_ERROR', text, { outcome: 'unknown' }) : apiError('INTERNAL_ERROR', text)
}
