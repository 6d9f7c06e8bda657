import { semaphore } from '@msgctl/network/semaphore'
import { appendEvents, type NewEvent } from '#events/append.ts'
import { cleanState } from '#networks/gateway/clean.ts'
import { hasWaiting } from '#numbers/lanes/queued-store.ts'
import { lockNumbersOf, type NumberRow } from '#numbers/records/store.ts'
import { lockGroupLanes, type MoveResult, moveAllWaiting, moveLocked } from '#numbers/send-group/failover.ts'
import { groupBy, toRounds } from '#platform/concurrency/rounds.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { Services } from '#services.ts'
import {
  type FoundState,
  isAnotherPhone,
  isOutdated,
  nextState,
  type StateEvent,
  type StateSource,
} from './state-rules.ts'
import { serviceTime, type Transition, writeReportSequence, writeStates } from './state-store.ts'

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

/** Numbers of an organization that one transaction moves, so that it does not hold their locks for long. */
const moveBatch = 100
/** Organizations whose numbers move at the same time; each takes a connection. */
const organizationConcurrency = 3

/**
 * Moves a number to a state that was reported: its row, its history, its lane and the event are one transaction. A
 * report that repeats the present state only refreshes who is linked. Returns null for a
 * report that is dropped: about a removed number, or with an older sequence than the last.
 */
export async function applyState(services: Pick<Services, 'db'>, report: ReportedState): Promise<NumberRow | null> {
  const applied = await transaction(services.db, (trx) => moveNumber(trx, report))
  await finishTransition(services, report.organizationId, applied)
  return applied.moved
}

/** Does the same for many reports: those of a number in their order, those of an organization's numbers together. */
export async function applyStates(services: Pick<Services, 'db'>, reports: readonly ReportedState[]): Promise<void> {
  const organizations = semaphore({ limit: organizationConcurrency })
  const grouped = [...groupBy(reports, ({ organizationId }) => organizationId)]
  await Promise.all(
    grouped.map(([organizationId, own]) =>
      organizations.run(organizationId, () => applyOfOrganization(services, organizationId, own)),
    ),
  )
}

async function applyOfOrganization(
  services: Pick<Services, 'db'>,
  organizationId: string,
  reports: readonly ReportedState[],
): Promise<void> {
  for (const round of toRounds(reports, ({ containerId }) => containerId)) {
    for (let from = 0; from < round.length; from += moveBatch) {
      const some = round.slice(from, from + moveBatch)
      const applied = await transaction(services.db, (trx) => moveNumbers(trx, organizationId, some))
      await finishTransition(services, organizationId, applied)
    }
  }
}

/** Moves, after the commit of {@link moveNumber}, the messages that one transaction left. */
export async function finishTransition(
  services: Pick<Services, 'db'>,
  organizationId: string,
  { waiting }: Pick<Applied, 'waiting'>,
): Promise<void> {
  if (waiting.more) await moveAllWaiting(services, organizationId)
}

/** The result of reports: the numbers as they are now, and the messages that moved. */
interface AppliedTogether {
  readonly moved: readonly NumberRow[]
  /** What waited on numbers that cannot send, and moved to one that can. */
  readonly waiting: MoveResult
}

/** The result of one report; `moved` is null when it was dropped. */
type Applied = Omit<AppliedTogether, 'moved'> & { readonly moved: NumberRow | null }

const nothingMoved: AppliedTogether = { moved: [], waiting: { messages: 0, more: false } }

/** The same in a transaction of the caller, as its last statement; then {@link finishTransition} after the commit. */
export async function moveNumber(trx: Db, report: ReportedState): Promise<Applied> {
  const { moved, ...applied } = await moveNumbers(trx, report.organizationId, [report])
  return { ...applied, moved: moved[0] ?? null }
}

/** Moves numbers of one organization, each at most once. */
async function moveNumbers(
  trx: Db,
  organizationId: string,
  reports: readonly ReportedState[],
): Promise<AppliedTogether> {
  const ids = reports.map(({ containerId }) => containerId)
  const numbers = new Map((await lockNumbersOf(trx, organizationId, ids)).map((number) => [number.id, number]))
  const current = reports.flatMap((report) => {
    const number = numbers.get(report.containerId)
    const state = cleanState(report.state)
    const isDropped = !number || !isUnchanged(report, number) || isOutdated(number, state, report.at ? 'event' : 'call')
    return isDropped ? [] : [{ report, number, state }]
  })
  if (current.length === 0) return nothingMoved
  const now = await serviceTime(trx)
  const transitions: (Transition & { readonly event: StateEvent | null })[] = []
  for (const { report, number, state } of current) {
    const at = clampTime(report.at, number.statusAt, now)
    const waiting = isAnotherPhone(number, state) && (await hasWaiting(trx, organizationId, number.id))
    const step = nextState(number, state, { at, source: report.source, waiting })
    if (step) transitions.push({ number, ...step, reason: state.reason ?? null, source: report.source, at })
    else if (state.sequence !== undefined) await writeReportSequence(trx, number, state.sequence)
  }
  if (transitions.length === 0) return nothingMoved
  const laneChanges = transitions.some(({ number, change }) => canSend(number) !== canSend(change))
  const areAllLocked = laneChanges && (await lockGroupLanes(trx, organizationId))
  await writeStates(trx, organizationId, transitions)
  const waiting = laneChanges ? await moveLocked(trx, organizationId, areAllLocked) : nothingMoved.waiting
  const moved = transitions.map(({ number, change, at }) => ({ ...number, ...change, statusAt: at }))
  const events = transitions.flatMap(({ event, at }, n) => {
    const number = moved[n]
    return event && number ? [stateEvent(event, number, at)] : []
  })
  await appendEvents(trx, events)
  if (moved.some(({ status }) => status === 'WORKING')) afterCommit(trx, 'lanes')
  if (moved.some((number) => !canSend(number))) afterCommit(trx, 'lane-closed')
  return { moved, waiting }
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
