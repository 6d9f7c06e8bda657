import { GatewayError } from '@msgctl/network/errors'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { apiError } from '#platform/errors.ts'

/** Shorter than the usual timeout of callers, 30 s. */
const timeoutMs = 25_000

/**
 * Waits for a gateway call about a number and maps its failure to the codes of the number routes: GATEWAY_ERROR,
 * GATEWAY_UNREACHABLE or UPSTREAM_TIMEOUT. Other errors are rethrown.
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
    case 'new_chat_refused':
    case 'contact_refused':
    case 'unsupported':
      return apiError('GATEWAY_ERROR', safeMessage, { reason: kind })
    // The network refused: the number changed its state during the call, or the recipient does not exist.
    case 'session':
    case 'recipient':
    case 'rejected':
      return apiError('GATEWAY_ERROR', safeMessage, { reason: 'rejected' })
  }
}
