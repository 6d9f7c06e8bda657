import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { findNumber, type NumberRow } from '#numbers/records/store.ts'
import { toSession } from '#numbers/records/view.ts'
import type { Services } from '#services.ts'
import { applyState } from './state.ts'

const timeoutMs = 20_000

/**
 * Restarts the connection of a number; the link to the phone stays. Never throws: on failure the number is FAILED,
 * unless its state has changed since.
 */
export async function restartConnection(services: Services, number: NumberRow): Promise<void> {
  const { gateway, log, db } = services
  const session = toSession(number)
  const { organizationId, id } = number
  try {
    // A number that was removed or stopped in the meantime must not be started at the network.
    if ((await findNumber(db, organizationId, id))?.status !== 'STARTING') return
    await withGatewayTimeout(timeoutMs, gateway.ensure(session))
    const state = await withGatewayTimeout(timeoutMs, gateway.restart(session))
    // A request may have stopped or removed it during the restart.
    const now = await findNumber(db, organizationId, id)
    if (!now) await withGatewayTimeout(timeoutMs, gateway.remove(session))
    else if (now.status === 'STOPPED') await withGatewayTimeout(timeoutMs, gateway.stop(session))
    else await applyState(services, { ...session, state, source: 'network' })
  } catch (error) {
    log.warn({ event: 'restart_failed', err: error, containerId: number.id }, 'failed to restart a number')
    const state = { status: 'FAILED', me: null, reason: 'start_failed' } as const
    await applyState(services, { ...session, state, source: 'supervisor', expected: number })
  }
}
