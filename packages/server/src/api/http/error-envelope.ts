import type { ErrorEnvelope } from '@msgctl/contract'
import type Koa from 'koa'
import { type ApiError, apiError } from '#platform/errors.ts'
import type { Log } from '#platform/log/log-events.ts'
import { ClientDisconnected } from './body.ts'
import { toApiError } from './map-error.ts'
import { basePath } from './mount.ts'
import type { RequestState } from './state.ts'

/** The envelope of an error (specification, "Errors"). */
export function envelope({ code, message, details, issues }: ApiError, requestId: string): ErrorEnvelope {
  return {
    success: false,
    error: { code, message, ...(details && { details }), ...(issues && { issues: [...issues] }), requestId },
  }
}

/**
 * Responds to every error with the envelope, and with ROUTE_NOT_FOUND when no route matched. It stands around
 * everything but the request id.
 */
export function errorEnvelope(log: Log): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.respond !== false && ctx.status === 404 && (ctx.body === undefined || ctx.body === null)) {
        throw apiError('ROUTE_NOT_FOUND', noRoute(ctx.path))
      }
    } catch (thrown) {
      if (thrown instanceof ClientDisconnected || ctx.headerSent || !ctx.writable) leave(ctx)
      else answer(ctx, toApiError(thrown, { log, ...ctx.state, harmless: true }))
    }
  }
}

/** The message names the prefix when it is missing: a base URL without it is the usual mistake. */
function noRoute(path: string): string {
  const words = 'No route matches this method and path.'
  return path.startsWith(`${basePath}/`) ? words : `${words} Those of the API begin with ${basePath}/.`
}

type Context = Koa.ParameterizedContext<RequestState>

/** Closes the connection: the caller has left, or a part of the response is sent already. */
function leave(ctx: Context): void {
  ctx.respond = false
  ctx.res.destroy()
}

function answer(ctx: Context, error: ApiError): void {
  ctx.state.errorCode = error.code
  const waitSeconds = retryAfterSeconds(error)
  if (waitSeconds !== undefined) ctx.set('Retry-After', String(waitSeconds))
  ctx.status = error.status
  ctx.type = 'json'
  ctx.body = JSON.stringify(envelope(error, ctx.state.requestId))
}

function retryAfterSeconds({ details }: ApiError): number | undefined {
  if (!details || !('retryAfterSeconds' in details)) return undefined
  return typeof details.retryAfterSeconds === 'number' ? details.retryAfterSeconds : undefined
}
