import { transaction } from '../db/db.ts'
import { appendEvents, type NewEvent } from '../events/append.ts'
import type { SessionState } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { nextState, type StateEvent } from './state-rules.ts'
import { hasQueued, lockNumber, type NumberRow, writeState } from './store.ts'

/** A state of a number with who caused it. */
export interface ReportedState {
  readonly organizationId: string
  readonly containerId: string
  readonly state: SessionState
  readonly source: 'network' | 'user' | 'supervisor'
  readonly at: Date
}

/**
 * Moves a number to a state that was reported: its row, its history, its lane and the event are one transaction. A
 * report that repeats the present state only refreshes who is linked. Reports about removed numbers, and
 * older ones than the last, are dropped.
 */
export async function applyState(
  services: Pick<Services, 'db' | 'clock' | 'wake'>,
  report: ReportedState,
): Promise<NumberRow | null> {
  const { moved, events } = await transaction(services.db, async (trx) => {
    const number = await lockNumber(trx, report.organizationId, report.containerId)
    // Reports come in no order; one from before the last applied one must not take the number back.
    if (!number || report.at < number.statusAt) return { moved: null, events: 0 }
    const queued = await hasQueued(trx, number.organizationId, number.id)
    const { change, event } = nextState(number, report.state, { at: report.at, queued })
    await writeState(trx, number, change, {
      reason: report.state.reason ?? null,
      source: report.source,
      at: report.at,
    })
    const told = event ? [stateEvent(event, { ...number, ...change }, report.at)] : []
    await appendEvents(trx, told)
    return { moved: { ...number, ...change }, events: told.length }
  })
  if (moved?.status === 'WORKING') services.wake.signal('lanes')
  if (events > 0) {
    services.wake.signal('events')
    services.wake.signal('deliveries')
  }
  return moved
}

function stateEvent(event: StateEvent, number: NumberRow, at: Date): NewEvent {
  const about = { containerId: number.id, numberPhone: number.phoneNumber, session: number.instanceName }
  const { organizationId } = number
  switch (event) {
    case 'session.recovered':
      return { organizationId, event, data: { status: 'WORKING', recoveredAt: at.toISOString(), ...about } }
    case 'session.needs_scan':
      return { organizationId, event, data: { status: 'SCAN_QR_CODE', ...about } }
    case 'session.disconnected':
      return {
        organizationId,
        event,
        data: {
          status: 'FAILED',
          message: number.lastError ?? 'The number lost its connection.',
          retriesExhausted: false,
          lastAttempt: number.retryCount,
          timestamp: at.toISOString(),
          ...about,
        },
      }
  }
}
