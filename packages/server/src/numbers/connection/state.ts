import { type Db, transaction } from '../../db/db.ts'
import { appendEvents, type NewEvent } from '../../events/append.ts'
import { cleanState } from '../../gateway/clean.ts'
import { hasWaiting } from '../../messages/lanes/queued-store.ts'
import type { Services } from '../../services.ts'
import { lockNumber, type NumberRow } from '../records/store.ts'
import { lockGroupLanes, type MoveResult, moveAllWaiting, moveWaiting } from '../send-group/failover.ts'
import {
  type FoundState,
  isAnotherPhone,
  isOutdated,
  nextState,
  type StateEvent,
  type StateSource,
} from './state-rules.ts'
import { serviceTime, writeReportSequence, writeState } from './state-store.ts'

/** A state of a number with its source. */
export interface ReportedState {
  readonly organizationId: string
  readonly containerId: string
  readonly state: FoundState
  readonly source: StateSource
  /** When the network reported it, in service time; left out of a decision and of the response of a call. */
  readonly at?: Date
  /** The state that the decision is based on; the report is dropped when the number has changed since. */
  readonly expected?: Pick<NumberRow, 'status' | 'statusSince'>
}

/**
 * Moves a number to a state that was reported: its row, its history, its lane and the event are one transaction. A
 * report that repeats the present state only refreshes who is linked. Returns null for a
 * report that is dropped: about a removed number, or with an older sequence than the last.
 */
export async function applyState(
  services: Pick<Services, 'db' | 'wake'>,
  report: ReportedState,
): Promise<NumberRow | null> {
  const applied = await transaction(services.db, (trx) => moveNumber(trx, report))
  await finishTransition(services, report.organizationId, applied)
  return applied.moved
}

/** Signals the loops after the commit of {@link moveNumber}, and moves the messages that one transaction left. */
export async function finishTransition(
  services: Pick<Services, 'db' | 'wake'>,
  organizationId: string,
  { moved, events, waiting }: Applied,
): Promise<void> {
  if (moved?.status === 'WORKING' || waiting.messages > 0) services.wake.signal('lanes')
  if (moved && !canSend(moved)) services.wake.signal('lane-closed')
  if (waiting.more) await moveAllWaiting(services, organizationId)
  if (events > 0) {
    services.wake.signal('events')
    services.wake.signal('deliveries')
  }
}

/** The result of a report: the number as it is now (null: dropped), its events and the messages that moved. */
interface Applied {
  readonly moved: NumberRow | null
  readonly events: number
  /** What waited on numbers that cannot send, and moved to one that can. */
  readonly waiting: MoveResult
}

const noStep: Applied = { moved: null, events: 0, waiting: { messages: 0, more: false } }

/** The same in a transaction of the caller, as its last statement; then {@link finishTransition} after the commit. */
export async function moveNumber(trx: Db, report: ReportedState): Promise<Applied> {
  const { organizationId, containerId } = report
  const state = cleanState(report.state)
  const number = await lockNumber(trx, organizationId, containerId)
  if (!number || !isUnchanged(report, number)) return noStep
  if (isOutdated(number, state, report.at ? 'event' : 'call')) return noStep
  const at = clampTime(report.at, number.statusAt, await serviceTime(trx))
  const waiting = isAnotherPhone(number, state) && (await hasWaiting(trx, organizationId, containerId))
  const step = nextState(number, state, { at, source: report.source, waiting })
  if (!step) {
    if (state.sequence !== undefined) await writeReportSequence(trx, number, state.sequence)
    return noStep
  }
  const { change, event } = step
  const laneChanges = canSend(number) !== canSend(change)
  if (laneChanges) await lockGroupLanes(trx, organizationId)
  await writeState(trx, number, step, { reason: state.reason ?? null, source: report.source, at })
  const movedMessages = laneChanges ? await moveWaiting(trx, organizationId) : noStep.waiting
  const moved = { ...number, ...change, statusAt: at }
  const events = event ? [stateEvent(event, moved, at)] : []
  await appendEvents(trx, events)
  return { moved, events: events.length, waiting: movedMessages }
}

/** Returns whether the number is still in the state that the decision is based on. */
function isUnchanged({ expected }: ReportedState, { status, statusSince }: NumberRow): boolean {
  return !expected || (expected.status === status && expected.statusSince.getTime() === statusSince.getTime())
}

/** Returns whether messages may leave a number: it works and its queue is not held. */
function canSend({ status, queueHeldAt }: Pick<NumberRow, 'status' | 'queueHeldAt'>): boolean {
  return status === 'WORKING' && queueHeldAt === null
}

/** Returns the time of a report between that of the last one and now: the clock of a driver may be wrong. */
function clampTime(at: Date | undefined, statusAt: Date, now: Date): Date {
  const latest = now > statusAt ? now : statusAt
  if (at === undefined || at > latest) return latest
  return at < statusAt ? statusAt : at
}

function stateEvent(event: StateEvent, number: NumberRow, at: Date): NewEvent {
  const about = { containerId: number.id, numberPhone: number.phoneNumber, session: number.instanceName }
  const { organizationId } = number
  const held = number.queueHeldAt === null ? {} : { queueHeld: true as const }
  const hostDown = number.status === 'UNREACHABLE'
  switch (event) {
    case 'session.recovered':
      return { organizationId, event, data: { status: 'WORKING', recoveredAt: at.toISOString(), ...held, ...about } }
    case 'session.needs_scan':
      return { organizationId, event, data: { status: 'SCAN_QR_CODE', ...about } }
    case 'session.disconnected':
      return {
        organizationId,
        event,
        data: {
          status: 'FAILED',
          message: number.lastError ?? 'The number lost its connection.',
          ...(hostDown ? { reason: 'instance_down' } : { retriesExhausted: number.exhaustionReported }),
          lastAttempt: number.retryCount,
          timestamp: at.toISOString(),
          ...about,
        },
      }
  }
}
