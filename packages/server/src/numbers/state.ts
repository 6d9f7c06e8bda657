import { type Db, transaction } from '../db/db.ts'
import { appendEvents, type NewEvent } from '../events/append.ts'
import type { SessionState } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { hasWaiting } from './queued-store.ts'
import { isAnotherPhone, nextState, type StateEvent } from './state-rules.ts'
import { serviceTime, writeState } from './state-store.ts'
import { lockNumber, type NumberRow } from './store.ts'

/** A state of a number with who caused it. */
export interface ReportedState {
  readonly organizationId: string
  readonly containerId: string
  readonly state: SessionState
  readonly source: 'network' | 'user' | 'supervisor'
  /** When it was so, in service time. Left out by whoever knows it to be the latest. */
  readonly at?: Date
}

/**
 * Moves a number to a state that was reported: its row, its history, its lane and the event are one transaction. A
 * report that repeats the present state only refreshes who is linked. Reports about removed numbers, and older ones than
 * the last, are dropped; then the answer is null.
 */
export async function applyState(
  services: Pick<Services, 'db' | 'wake'>,
  report: ReportedState,
): Promise<NumberRow | null> {
  const { moved, events } = await transaction(services.db, (trx) => moveNumber(trx, report))
  if (moved?.status === 'WORKING') services.wake.signal('lanes')
  if (events > 0) {
    services.wake.signal('events')
    services.wake.signal('deliveries')
  }
  return moved
}

/**
 * The same inside a transaction of the caller's, as its last statement. Answers the number as it is now, null when the
 * report was dropped, and how many events were told; the caller signals after the commit.
 */
export async function moveNumber(trx: Db, report: ReportedState): Promise<{ moved: NumberRow | null; events: number }> {
  const { organizationId, containerId, state } = report
  const number = await lockNumber(trx, organizationId, containerId)
  if (!number) return { moved: null, events: 0 }
  const at = moment(report.at, number.statusAt, await serviceTime(trx))
  // Reports come in no order; one from before the last applied one must not take the number back.
  if (at < number.statusAt) return { moved: null, events: 0 }
  const waiting = isAnotherPhone(number, state) && (await hasWaiting(trx, organizationId, containerId))
  const { change, event } = nextState(number, state, { at, waiting })
  await writeState(trx, number, change, { reason: state.reason ?? null, source: report.source, at })
  const moved = { ...number, ...change, statusAt: at }
  const told = event ? [stateEvent(event, moved, at)] : []
  await appendEvents(trx, told)
  return { moved, events: told.length }
}

/** A report never counts as later than now: one of the future would shut out all that come until then. */
function moment(at: Date | undefined, statusAt: Date, now: Date): Date {
  const latest = now > statusAt ? now : statusAt
  return at === undefined || at > latest ? latest : at
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
