import type { GatewayError, SendOutcome } from '@msgctl/network/errors'
import { type ApiError, apiError } from '#platform/errors.ts'

interface SendDetails {
  readonly messageId?: string
  readonly outcome?: SendOutcome
}

/**
 * Returns the API error of a send that the network did not accept: each kind of failure has its code, and the details
 * contain the message id and the outcome.
 */
export function sendFailure(error: GatewayError, messageId: string): ApiError {
  const details = { messageId, outcome: error.outcome }
  if (error.kind === 'recipient') return apiError('NUMBER_NOT_ON_NETWORK', error.safeMessage, { messageId })
  // Callers repeat a send after these two codes, which is unsafe while its outcome is unknown.
  const isUnknown = error.outcome === 'unknown' && (error.kind === 'session' || error.kind === 'unreachable')
  return isUnknown ? apiError('UPSTREAM_TIMEOUT', error.safeMessage, details) : toApiFailure(error, details)
}

/** The same for a change of a message that is on the network, without an outcome of a send. */
export function changeFailure(error: GatewayError, messageId: string): ApiError {
  return toApiFailure(error, { messageId })
}

/** The same for a query to the network that is about no message. */
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
    case 'new_chat_refused':
    case 'contact_refused':
    case 'unsupported':
      return apiError('GATEWAY_ERROR', safeMessage, { ...details, reason: error.kind })
    case 'recipient':
    case 'rejected':
      return apiError('GATEWAY_ERROR', safeMessage, { ...details, reason: 'rejected' })
  }
}
