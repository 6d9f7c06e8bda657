import { GatewayError } from '@msgctl/network/errors'
import { withTimeout } from '@msgctl/network/timeout'

/**
 * Waits for a call of a driver, at most `ms`: a driver that ignores its timeout must not block its caller for ever.
 * Throws a GatewayError of the kind `timeout`, of unknown outcome.
 */
export function withGatewayTimeout<T>(ms: number, call: Promise<T>): Promise<T> {
  return withTimeout(ms, call, () => new GatewayError('timeout', 'The network did not answer in time.'))
}
