import { type ApiError, apiError } from '../errors.ts'
import type { GatewayError, SendOutcome } from './errors.ts'

interface SendDetails {
  readonly messageId?: string
  readonly outcome?: SendOutcome
}

/**
 * What the caller of a send hears when the network did not take the message: each kind of failure has its code, and the
 * details name the message and whether it may have gone out.
 */
export function sendFailure(error: GatewayError, messageId: string): ApiError {
  const details = { messageId, outcome: error.outcome }
  if (error.kind === 'recipient') return apiError('NUMBER_NOT_ON_NETWORK', error.safeMessage, { messageId })
  // Callers take these two for a send that may safely be repeated, which one that may have gone out is not.
  const doubtful = error.outcome === 'unknown' && (error.kind === 'session' || error.kind === 'unreachable')
  return doubtful ? apiError('UPSTREAM_TIMEOUT', error.safeMessage, details) : toApiFailure(error, details)
}

/** The same for a change of a message that is on the network; there is no outcome of a send to tell. */
export function changeFailure(error: GatewayError, messageId: string): ApiError {
  return toApiFailure(error, { messageId })
}

/** The same for a question to the network that is about no message. */
export function networkFailure(error: GatewayError): ApiError {
  return toApiFailure(error, {})
}

function toApiFailure(error: GatewayError, details: SendDetails): ApiError {
  const { safeMessage, retryAfterMs } = error
  const wait = retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }
  switch (error.kind) {
    case 'session':
      return apiError('GATEWAY_SESSION_ERROR', safeMessage, { ...details, ...wait })
    case 'unreachable':
      return apiError('GATEWAY_UNREACHABLE', safeMessage, { ...details, ...wait })
    case 'timeout':
      return apiError('UPSTREAM_TIMEOUT', safeMessage, details)
    case 'restricted':
    case 'unsupported':
      return apiError('GATEWAY_ERROR', safeMessage, { ...details, reason: error.kind })
    case 'recipient':
    case 'rejected':
      return apiError('GATEWAY_ERROR', safeMessage, { ...details, reason: 'rejected' })
  }
}
