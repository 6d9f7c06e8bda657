import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession } from '@msgctl/network/gateway'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { findNumber } from '#numbers/records/store.ts'
import type { Services } from '#services.ts'
import { applyState } from './state.ts'
import { checkSoon } from './supervisor-store.ts'

const recheckTimeoutMs = 10_000

/** Numbers that this process is rechecking now: many sends may fail together. */
const rechecking = new Set<string>()

/**
 * Handles a failed call through a number. When its host did not respond, the supervisor checks the number at once
 * instead of within a minute. When the network reports that it is not connected, its state is queried: the report may
 * have been lost, and a working number is not queried otherwise. Never throws.
 */
export async function requestRecheck(
  services: Pick<Services, 'db' | 'log' | 'gateway'>,
  { organizationId, containerId }: GatewaySession,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof GatewayError)) return
  const session = { organizationId, containerId }
  try {
    if (failure.kind === 'unreachable') await checkSoon(services.db, organizationId, containerId)
    if (failure.kind === 'session' && !rechecking.has(containerId)) await recheck(services, session)
  } catch (error) {
    services.log.warn({ event: 'recheck_failed', err: error, containerId }, 'failed to recheck a number')
  }
}

async function recheck(services: Pick<Services, 'db' | 'gateway'>, session: GatewaySession): Promise<void> {
  rechecking.add(session.containerId)
  try {
    const number = await findNumber(services.db, session.organizationId, session.containerId)
    if (number?.status !== 'WORKING') return
    const state = await withGatewayTimeout(recheckTimeoutMs, services.gateway.state(session))
    if (state.status !== 'WORKING')
      await applyState(services, { ...session, state, source: 'network', expected: number })
  } finally {
    rechecking.delete(session.containerId)
  }
}
