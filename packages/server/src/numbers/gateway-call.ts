import { apiError } from '../errors.ts'
import { GatewayError } from '../gateway/errors.ts'
import { withGatewayTimeout } from '../gateway/timeout.ts'

/** Shorter than the 30 s for which callers usually wait. */
const timeoutMs = 25_000

/**
 * Waits for a call to the network about a number and says its failure in the words of the number routes: GATEWAY_ERROR,
 * GATEWAY_UNREACHABLE or UPSTREAM_TIMEOUT. Errors of other kinds pass as they are.
 */
export async function gatewayCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await withGatewayTimeout(timeoutMs, call)
  } catch (error) {
    throw error instanceof GatewayError ? toApiRefusal(error) : error
  }
}

function toApiRefusal({ kind, safeMessage, retryAfterMs }: GatewayError) {
  switch (kind) {
    case 'unreachable':
      return apiError(
        'GATEWAY_UNREACHABLE',
        safeMessage,
        retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
      )
    case 'timeout':
      return apiError('UPSTREAM_TIMEOUT', safeMessage)
    case 'restricted':
    case 'unsupported':
      return apiError('GATEWAY_ERROR', safeMessage, { reason: kind })
    // The number moved on meanwhile, or there is nobody there: the network refused what was asked of it.
    case 'session':
    case 'recipient':
    case 'rejected':
      return apiError('GATEWAY_ERROR', safeMessage, { reason: 'rejected' })
  }
}
