import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { applyState } from './connection/state.ts'
import { clearLink } from './connection/state-store.ts'
import { failQueued } from './lanes/queued-store.ts'
import { listNumbers, type NumberRow } from './records/store.ts'
import { toSession } from './records/view.ts'

const gatewayTimeoutMs = 10_000
const failBatch = 5000

/**
 * Ends the links of all numbers of a deleted organization, stops the numbers and fails what is queued. The numbers stay
 * and can be linked again. Repeat it until every network was reached.
 */
export async function closeNumbers(services: Services, organizationId: string): Promise<void> {
  for (const number of await listNumbers(services.db, organizationId)) {
    await failAll(services, number)
    try {
      await unlink(services, number)
    } catch (error) {
      const { id: containerId } = number
      services.log.warn({ event: 'number_stop_failed', err: error, containerId }, 'failed to unlink a number')
    }
  }
}

async function unlink(services: Services, number: NumberRow): Promise<void> {
  const { db, gateway } = services
  const session = toSession(number)
  const { containerId, organizationId } = session
  if (number.networkId !== null) {
    await withGatewayTimeout(gatewayTimeoutMs, gateway.logout(session))
    await clearLink(db, organizationId, containerId)
  }
  if (number.status === 'STOPPED') return
  const { sequence } = await withGatewayTimeout(gatewayTimeoutMs, gateway.stop(session))
  const state = { status: 'STOPPED', me: null, reason: 'deactivated', sequence } as const
  await applyState(services, { ...session, state, source: 'supervisor' })
}

/** Fails the queue of a number. A deleted organization receives no events, so none are appended. */
async function failAll({ db }: Services, { id, organizationId }: NumberRow): Promise<void> {
  for (let failed = failBatch; failed === failBatch; ) {
    const some = await transaction(db, (trx) => failQueued(trx, organizationId, id, 'CANCELLED', { limit: failBatch }))
    failed = some.length
  }
}

/** Removes the sessions of all numbers at their networks. Returns false when one of them could not be reached. */
export async function removeSessions(services: Services, organizationId: string): Promise<boolean> {
  let areGone = true
  for (const number of await listNumbers(services.db, organizationId)) {
    try {
      await withGatewayTimeout(gatewayTimeoutMs, services.gateway.remove(toSession(number)))
    } catch (error) {
      areGone = false
      services.log.warn(
        { event: 'session_remove_failed', err: error, containerId: number.id },
        'failed to remove a session at the network',
      )
    }
  }
  return areGone
}
