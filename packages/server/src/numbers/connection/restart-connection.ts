import { withGatewayTimeout } from '../../gateway/timeout.ts'
import type { Services } from '../../services.ts'
import { findNumber, type NumberRow } from '../records/store.ts'
import { toSession } from '../records/view.ts'
import { applyState } from './state.ts'

const timeoutMs = 20_000

/**
 * Has the network make the connection of a number anew; the link to the phone stays. Never throws: where the network
 * cannot be asked the number is FAILED, unless it moved on meanwhile.
 */
export async function restartConnection(services: Services, number: NumberRow): Promise<void> {
  const { gateway, log, db } = services
  const session = toSession(number)
  const { organizationId, id } = number
  try {
    // Otherwise a number that was removed or stopped meanwhile would come to life at the network.
    if ((await findNumber(db, organizationId, id))?.status !== 'STARTING') return
    await withGatewayTimeout(timeoutMs, gateway.ensure(session))
    const state = await withGatewayTimeout(timeoutMs, gateway.restart(session))
    // Somebody may have stopped or removed it while it was being started.
    const now = await findNumber(db, organizationId, id)
    if (!now) await withGatewayTimeout(timeoutMs, gateway.remove(session))
    else if (now.status === 'STOPPED') await withGatewayTimeout(timeoutMs, gateway.stop(session))
    else await applyState(services, { ...session, state, source: 'network' })
  } catch (error) {
    log.warn({ err: error, containerId: number.id }, 'a number could not be started')
    const state = { status: 'FAILED', me: null, reason: 'start_failed' } as const
    await applyState(services, { ...session, state, source: 'supervisor', expected: number })
  }
}
