import type { Services } from '#services.ts'
import { applyState } from './connection/state.ts'
import { gatewayCall } from './gateway-call.ts'
import { findNumber, type NumberRow } from './records/store.ts'
import { toSession } from './records/view.ts'

/**
 * Returns the number when its host responds. An UNREACHABLE number is checked at the network first, and returned in the
 * state that was found there. Throws GATEWAY_UNREACHABLE, with the time to wait, while the host does not respond.
 */
export async function requireHost(services: Services, number: NumberRow): Promise<NumberRow> {
  if (number.status !== 'UNREACHABLE') return number
  const session = toSession(number)
  const state = await gatewayCall(services.gateway.state(session))
  await applyState(services, { ...session, state, source: 'network', expected: number })
  return (await findNumber(services.db, number.organizationId, number.id)) ?? number
}
