import { GatewayError } from '../gateway/errors.ts'
import type { GatewaySession } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { lookSoon } from './supervisor-store.ts'

/**
 * Hears of a call through a number that failed: when its host did not answer, the supervisor looks at the number at once
 * instead of within a minute. Never throws.
 */
export async function suspectHost(
  { db, log }: Pick<Services, 'db' | 'log'>,
  { organizationId, containerId }: GatewaySession,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof GatewayError) || failure.kind !== 'unreachable') return
  try {
    await lookSoon(db, organizationId, containerId)
  } catch (error) {
    log.warn({ err: error, containerId }, 'the supervisor could not be told of a host that does not answer')
  }
}
