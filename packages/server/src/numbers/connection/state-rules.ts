import { type NumberReason, type NumberStatus, numberMoves, numberReasonSentences } from '@msgctl/contract'
import type { SessionState } from '@msgctl/network/gateway'
import { reasonSentence } from '#numbers/records/reason-sentence.ts'
import type { NumberRow } from '#numbers/records/store.ts'
import { maxRetries } from '#numbers/records/view.ts'
import type { StateChange } from './state-store.ts'
import { firstCheckAt } from './supervision-rules.ts'

/** The events that report a change of a number's state. */
export type StateEvent = 'session.recovered' | 'session.needs_scan' | 'session.disconnected'

/** Who caused a change of a number's state. */
export type StateSource = 'network' | 'user' | 'supervisor'

/** A reported or decided state of a number: one of the network's, or UNREACHABLE when its host does not respond. */
export type FoundState = Omit<SessionState, 'status' | 'sequence' | 'reason'> & {
  readonly status: NumberStatus
  readonly reason?: NumberReason
  /** The network's order of its states; left out of a decision of the supervisor or a user. */
  readonly sequence?: number
}

/** What the rules need to know of a number. */
export type KnownState = StateChange & Pick<NumberRow, 'status' | 'desiredState'>

/** A transition of a number: what changes in its row, and the event that reports it. */
export interface Step {
  readonly change: StateChange
  readonly event: StateEvent | null
  /** The status that it passes through, because no transition leads directly to the new one. */
  readonly via: NumberStatus | null
}

/** The time and source of a state; `waiting`: messages wait that were queued for the phone linked before. */
export interface TransitionContext {
  readonly at: Date
  readonly source: StateSource
  readonly waiting: boolean
}

/** Returns whether a report names another phone than the one that was linked last. */
export function isAnotherPhone(number: Pick<NumberRow, 'lastLinkedPhone'>, { me }: Pick<SessionState, 'me'>): boolean {
  return me !== null && number.lastLinkedPhone !== null && number.lastLinkedPhone !== me.digits
}

/**
 * Returns whether the network has reported a later state before. An event with the sequence of the last report is that
 * report again; the response of a call carries the same sequence and is current.
 */
export function isOutdated(
  { reportSequence }: Pick<NumberRow, 'reportSequence'>,
  { sequence }: Pick<FoundState, 'sequence'>,
  from: 'event' | 'call',
): boolean {
  if (sequence === undefined) return false
  return from === 'event' ? sequence <= reportSequence : sequence < reportSequence
}

/**
 * Returns what a state changes in a number and the event that reports it, or null when the state is dropped. A problem
 * is reported once until the number is back or the problem turns into the other one, and once more when the quick
 * reconnection attempts are used up. disconnected and needs_scan are reported only for a number that was ever linked or
 * whose host is down, recovered only after one of them. All transitions are those of the contract's `numberMoves`.
 */
export function nextState(number: KnownState, found: FoundState, context: TransitionContext): Step | null {
  const { at, source } = context
  const status = statusAfter(number, found, source)
  if (status === null) return null
  const isNew = status !== number.status || (source === 'user' && status === 'STARTING')
  const known: StateChange = {
    ...number,
    ...linkedPhone(number, found, status, at),
    status,
    statusSince: isNew ? at : number.statusSince,
    statusReason: isNew ? (found.reason ?? null) : reasonOfRepeat(number, found),
    statusCode: isNew ? (found.code ?? null) : number.statusCode,
    ...retryOf(number, found, status),
    linkStep: status === 'SCAN_QR_CODE' ? linkStepOf(number, found) : null,
    missedProbes: 0,
    reportSequence: found.sequence ?? number.reportSequence,
    queueHeldAt: heldSince(number, found, context),
  }
  const { change, event } = effects(number, countRetry(number, known, source), found, at)
  return {
    change: { ...change, nextCheckAt: isNew || found.retry !== undefined ? firstCheckAt(change) : number.nextCheckAt },
    event,
    via: intermediateStatus(number.status, status, event),
  }
}

/** Returns the reason after a report of the same status: while a number is linked, the next step may change. */
function reasonOfRepeat({ status, statusReason }: KnownState, { reason }: FoundState): string | null {
  if (status !== 'SCAN_QR_CODE') return statusReason
  return reason ?? (statusReason === 'passkey_required' ? null : statusReason)
}

/** Returns the step of a link. A report that could not read it leaves what is shown. */
function linkStepOf({ linkStep }: KnownState, { link, reason }: FoundState): KnownState['linkStep'] {
  return link ?? (reason === 'passkey_required' ? linkStep : null)
}

/** Returns when a failed number is tried again, where the network says so. */
function retryOf(
  { retryAt, isFinal }: KnownState,
  { retry }: FoundState,
  status: NumberStatus,
): Pick<StateChange, 'retryAt' | 'isFinal'> {
  if (status !== 'FAILED') return { retryAt: null, isFinal: false }
  if (retry === undefined) return { retryAt, isFinal }
  return { retryAt: retry === 'never' ? null : retry, isFinal: retry === 'never' }
}

/**
 * Returns the status that follows from a state, or null when the state is dropped. A failure or an unrequested stop of
 * a connected number is STARTING until the time to come back is over, unless the network names the time of the next
 * attempt or forbids one. A stopped number stays stopped until a user starts it, or the sweep does, because the product
 * is back.
 */
function statusAfter(number: KnownState, found: FoundState, source: StateSource): NumberStatus | null {
  const { status } = found
  if (status === number.status) return status
  if (number.status === 'STOPPED') return status === 'STARTING' && mayStart(number, source) ? status : null
  if (source !== 'network') return status
  if (status === 'STOPPED' && number.desiredState === 'running') return number.status === 'FAILED' ? null : 'STARTING'
  const linked = number.networkId !== null || found.me !== null
  const connected = number.status === 'WORKING' || number.status === 'STARTING'
  return status === 'FAILED' && linked && connected && found.retry === undefined ? 'STARTING' : status
}

function mayStart({ desiredState }: KnownState, source: StateSource): boolean {
  return source === 'user' || (source === 'supervisor' && desiredState === 'running')
}

/** Returns the intermediate status when the contract has no direct transition, or none with this event. */
function intermediateStatus(from: NumberStatus, to: NumberStatus, event: StateEvent | null): NumberStatus | null {
  const isDirect = numberMoves.some(
    (move) => move.to === to && move.from.includes(from) && (event === null || move.event === event),
  )
  return from === to || isDirect ? null : 'STARTING'
}

/** What was queued for one phone must not leave from another before a person has decided so. */
function heldSince(number: KnownState, found: FoundState, { at, waiting }: TransitionContext): Date | null {
  if (!isAnotherPhone(number, found)) return number.queueHeldAt
  return waiting ? at : null
}

/** Counts a reconnection of the supervisor; one that a user requests resets the count. */
function countRetry(number: KnownState, known: StateChange, source: StateSource): StateChange {
  if (known.status !== 'STARTING') return known
  if (source === 'user') return { ...known, retryCount: 0 }
  if (source !== 'supervisor') return known
  if (number.status === 'FAILED') return { ...known, retryCount: number.retryCount + 1 }
  return known.statusReason === 'no_acks' ? { ...known, noAcksAt: known.statusSince } : known
}

function linkedPhone(number: KnownState, { me }: FoundState, status: NumberStatus, at: Date): Partial<StateChange> {
  if (me) {
    // The network judges an account by its age, which a link of the same phone again does not change.
    const isSamePhone = number.lastLinkedPhone === me.digits
    return {
      linkedAt: isSamePhone ? (number.linkedAt ?? at) : at,
      phoneNumber: me.digits,
      networkId: me.id,
      pushName: me.pushName,
      everLinked: number.everLinked || status === 'WORKING',
      lastLinkedPhone: me.digits,
    }
  }
  // A number that waits for a phone has none. Its digits stay, so that people recognize it.
  if (status === 'SCAN_QR_CODE') return { networkId: null, pushName: null }
  return status === 'WORKING' ? { everLinked: true } : {}
}

type Effects = Pick<Step, 'change' | 'event'>

function effects(number: KnownState, known: StateChange, found: FoundState, at: Date): Effects {
  if (known.status === 'WORKING') return working(number, known, at)
  const down = { ...known, connectedSince: null, downSince: number.downSince ?? at }
  if (known.status === number.status) return { change: down, event: null }
  switch (known.status) {
    case 'SCAN_QR_CODE':
      return needsScan(number, down, found, at)
    case 'FAILED':
      return disconnected(number, down, found, at)
    case 'UNREACHABLE':
      return unreachable(number, down, at)
    default:
      return { change: down, event: null }
  }
}

function working(number: KnownState, known: StateChange, at: Date): Effects {
  const wasReported = number.lastReportedProblem !== null
  return {
    change: {
      ...known,
      connectedSince: number.status === 'WORKING' ? number.connectedSince : at,
      lastHealthyAt: at,
      downSince: null,
      lastReportedProblem: null,
      retryCount: 0,
      exhaustionReported: false,
      totalRecoveries: number.totalRecoveries + (wasReported ? 1 : 0),
    },
    event: wasReported ? 'session.recovered' : null,
  }
}

function needsScan(number: KnownState, down: StateChange, found: FoundState, at: Date): Effects {
  // A number that was never linked has no problem to report.
  if (!down.everLinked) return { change: down, event: null }
  const failed = failure(number, down, at, sentenceOf(found, 'The number is no longer linked to a phone.'))
  return {
    change: { ...failed, lastReportedProblem: 'needs_scan' },
    event: number.lastReportedProblem === 'needs_scan' ? null : 'session.needs_scan',
  }
}

function disconnected(number: KnownState, down: StateChange, found: FoundState, at: Date): Effects {
  const sentence = sentenceOf(found, numberReasonSentences.connection_lost)
  if (!down.everLinked) return { change: { ...down, lastErrorAt: at, lastError: sentence }, event: null }
  const exhausted = (down.isFinal || down.retryCount >= maxRetries) && !number.exhaustionReported
  return {
    change: {
      ...failure(number, down, at, sentence),
      lastReportedProblem: 'disconnected',
      exhaustionReported: number.exhaustionReported || exhausted,
      noAcksAt: found.reason === 'no_acks' ? null : number.noAcksAt,
    },
    event: number.lastReportedProblem === 'disconnected' && !exhausted ? null : 'session.disconnected',
  }
}

function unreachable(number: KnownState, down: StateChange, at: Date): Effects {
  return {
    change: { ...failure(number, down, at, numberReasonSentences.instance_down), lastReportedProblem: 'disconnected' },
    event: number.lastReportedProblem === 'disconnected' ? null : 'session.disconnected',
  }
}

function sentenceOf({ reason, code }: FoundState, otherwise: string): string {
  return reason === undefined ? otherwise : reasonSentence(reason, code)
}

/** Counts a problem once until the number is back, also when it turns into the other one. */
function failure(number: KnownState, down: StateChange, at: Date, sentence: string): StateChange {
  return {
    ...down,
    totalFailures: number.totalFailures + (number.lastReportedProblem === null ? 1 : 0),
    lastErrorAt: at,
    lastError: sentence,
  }
}
