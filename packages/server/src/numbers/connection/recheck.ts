import { GatewayError } from '../../gateway/errors.ts'
import type { GatewaySession } from '../../gateway/gateway.ts'
import { withGatewayTimeout } from '../../gateway/timeout.ts'
import type { Services } from '../../services.ts'
import { findNumber } from '../records/store.ts'
import { applyState } from './state.ts'
import { checkSoon } from './supervisor-store.ts'

const recheckTimeoutMs = 10_000

/** Numbers that this process asks about just now: many sends may fail together. */
const lastRecheckAt = new Set<string>()

/**
 * Hears of a call through a number that failed. When its host did not answer, the supervisor looks at the number at once
 * instead of within a minute. When the network says that it is not connected, the network is asked for its state: the
 * report of that may have been lost, and nobody asks about a number that works. Never throws.
 */
export async function requestRecheck(
  services: Pick<Services, 'db' | 'log' | 'wake' | 'gateway'>,
  { organizationId, containerId }: GatewaySession,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof GatewayError)) return
  const session = { organizationId, containerId }
  try {
    if (failure.kind === 'unreachable') await checkSoon(services.db, organizationId, containerId)
    if (failure.kind === 'session' && !lastRecheckAt.has(containerId)) await recheck(services, session)
  } catch (error) {
    services.log.warn({ err: error, containerId }, 'a number that seems to be down could not be looked at')
  }
}

async function recheck(services: Pick<Services, 'db' | 'wake' | 'gateway'>, session: GatewaySession): Promise<void> {
  lastRecheckAt.add(session.containerId)
  try {
    const number = await findNumber(services.db, session.organizationId, session.containerId)
    if (number?.status !== 'WORKING') return
    const state = await withGatewayTimeout(recheckTimeoutMs, services.gateway.state(session))
    if (state.status !== 'WORKING')
      await applyState(services, { ...session, state, source: 'network', expected: number })
  } finally {
    lastRecheckAt.delete(session.containerId)
  }
}
