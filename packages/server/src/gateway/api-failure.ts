import { type ApiError, apiError } from '../errors.ts'
import { GatewayError } from './errors.ts'

/**
 * What a caller hears when the network did not do what was asked: each kind of failure has its code. Errors that are not
 * the gateway's pass through. `details` are added, so that a send can name its message.
 */
export function asApiError(error: unknown, details: { messageId?: string } = {}): unknown {
  return error instanceof GatewayError ? fromGateway(error, details) : error
}

function fromGateway(error: GatewayError, extra: { messageId?: string }): ApiError {
  const { outcome, safeMessage, retryAfterMs } = error
  const details = { ...extra, outcome }
  const wait = retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }
  switch (error.kind) {
    case 'session':
      return apiError('GATEWAY_SESSION_ERROR', safeMessage, { ...details, ...wait })
    case 'unreachable':
      return apiError('GATEWAY_UNREACHABLE', safeMessage, { ...details, ...wait })
    case 'timeout':
      return apiError('UPSTREAM_TIMEOUT', safeMessage, details)
    case 'recipient':
      return apiError('NUMBER_NOT_ON_NETWORK', safeMessage)
    case 'rejected':
    case 'restricted':
    case 'unsupported':
      return apiError('GATEWAY_ERROR', safeMessage, { ...details, reason: error.kind })
  }
}
