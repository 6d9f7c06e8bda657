import { type Db, transaction } from '../db/db.ts'
import { appendEvents, type NewEvent } from '../events/append.ts'
import type { SessionState } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { lockGroupLanes, type Moved, moveAllWaiting, moveWaiting } from './failover.ts'
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
  const { moved, events, waiting } = await transaction(services.db, (trx) => moveNumber(trx, report))
  if (moved?.status === 'WORKING' || waiting.messages > 0) services.wake.signal('lanes')
  if (moved && !canSend(moved)) services.wake.signal('shut')
  if (waiting.more) await moveAllWaiting(services, report.organizationId)
  if (events > 0) {
    services.wake.signal('events')
    services.wake.signal('deliveries')
  }
  return moved
}

/** What a report came to: the number as it is now, null when the report was dropped, and what was told and moved. */
interface Step {
  readonly moved: NumberRow | null
  readonly events: number
  /** What waited on numbers that cannot send, and moved to one that can. */
  readonly waiting: Moved
}

const noStep: Step = { moved: null, events: 0, waiting: { messages: 0, more: false } }

/** The same inside a transaction of the caller's, as its last statement; the caller signals after the commit. */
export async function moveNumber(trx: Db, report: ReportedState): Promise<Step> {
  const { organizationId, containerId, state } = report
  const number = await lockNumber(trx, organizationId, containerId)
  if (!number) return noStep
  const at = moment(report.at, number.statusAt, await serviceTime(trx))
  // Reports come in no order; one from before the last applied one must not take the number back.
  if (at < number.statusAt) return noStep
  const waiting = isAnotherPhone(number, state) && (await hasWaiting(trx, organizationId, containerId))
  const { change, event } = nextState(number, state, { at, waiting })
  const laneTurns = canSend(number) !== canSend(change)
  if (laneTurns) await lockGroupLanes(trx, organizationId)
  await writeState(trx, number, change, { reason: state.reason ?? null, source: report.source, at })
  const movedOn = laneTurns ? await moveWaiting(trx, organizationId) : noStep.waiting
  const moved = { ...number, ...change, statusAt: at }
  const told = event ? [stateEvent(event, moved, at)] : []
  await appendEvents(trx, told)
  return { moved, events: told.length, waiting: movedOn }
}

/** Whether messages may leave a number: it works and its queue is not held. */
function canSend({ status, heldAt }: Pick<NumberRow, 'status' | 'heldAt'>): boolean {
  return status === 'WORKING' && heldAt === null
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
