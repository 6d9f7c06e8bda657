import { inTime } from '../gateway/deadline.ts'
import type { Services } from '../services.ts'
import { applyState } from './state.ts'
import { findNumber, type NumberRow } from './store.ts'
import { sessionOf } from './view.ts'

const timeoutMs = 20_000

/**
 * Has the network make the connection of a number anew; the link to the phone stays. Never throws: where the network
 * cannot be asked the number is FAILED, unless it moved on meanwhile.
 */
export async function bringUp(services: Services, number: NumberRow): Promise<void> {
  const { gateway, log, db } = services
  const session = sessionOf(number)
  try {
    await inTime(timeoutMs, gateway.ensure(session))
    await inTime(timeoutMs, gateway.restart(session))
    // Somebody may have stopped it while it was being started.
    const now = await findNumber(db, number.organizationId, number.id)
    if (now?.status === 'STOPPED') await inTime(timeoutMs, gateway.stop(session))
  } catch (error) {
    log.warn({ err: error, containerId: number.id }, 'a number could not be started')
    const state = { status: 'FAILED', me: null, reason: 'start_failed' } as const
    await applyState(services, { ...session, state, source: 'supervisor', judged: number })
  }
}
