import { type NumberStatus, numberMoves } from '@msgctl/contract'
import type { SessionState } from '../../gateway/gateway.ts'
import type { NumberRow } from '../records/store.ts'
import { maxRetries } from '../records/view.ts'
import type { StateChange } from './state-store.ts'
import { firstCheckAt } from './supervision-rules.ts'

/** The event a step of a number's state tells, if any. */
export type StateEvent = 'session.recovered' | 'session.needs_scan' | 'session.disconnected'

/** Who caused a change of a number's state. */
export type StateSource = 'network' | 'user' | 'supervisor'

/** A state of a number as it was told or found: a word of the network, or UNREACHABLE when its host is silent. */
export type FoundState = Omit<SessionState, 'status' | 'sequence'> & {
  readonly status: NumberStatus
  /** The network's order of its states; left out of a decision of the supervisor or a user. */
  readonly sequence?: number
}

/** What the rules look at in a number. */
export type KnownState = StateChange & Pick<NumberRow, 'status' | 'desiredState'>

/** A step of a number's state: what changes in its row, and the event it tells. */
export interface Step {
  readonly change: StateChange
  readonly event: StateEvent | null
  /** The status that it passes on the way, because no move leads straight to the new one. */
  readonly via: NumberStatus | null
}

/** When and by whom a state was found; `waiting`: messages wait that were meant for the phone linked before. */
export interface TransitionContext {
  readonly at: Date
  readonly source: StateSource
  readonly waiting: boolean
}

const sentences: Record<string, string> = {
  logged_out: 'The link was ended, by a logout or on the phone.',
  qr_expired: 'No QR was scanned in time.',
  connection_lost: 'The connection to the network was lost.',
  start_failed: 'The network could not be asked to start the number.',
  no_acks: 'The network acknowledged nothing that the number sent.',
  instance_down: 'The host of the number does not answer. The number comes back by itself.',
}

/** Whether a report names another phone than the one that was linked last. */
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
 * What a state that was told or found changes in a number and which event it tells; null when it changes nothing and is
 * dropped. A trouble is told once until the number is back or the trouble turns into the other one, and once more when
 * the quick attempts to reconnect are used up: disconnected or needs_scan only for a number that was ever linked or whose
 * host is down, recovered only after one of them. All moves are those of the contract's `numberMoves`.
 */
export function nextState(number: KnownState, found: FoundState, circumstances: TransitionContext): Step | null {
  const { at, source, waiting } = circumstances
  const status = statusAfter(number, found, source)
  if (status === null) return null
  const anew = status !== number.status || (source === 'user' && status === 'STARTING')
  const known: StateChange = {
    ...number,
    ...whoIsLinked(number, found, status),
    status,
    statusSince: anew ? at : number.statusSince,
    statusReason: anew ? (found.reason ?? null) : number.statusReason,
    missedProbes: 0,
    reportSequence: found.sequence ?? number.reportSequence,
    // What was queued for one phone must not leave from another before a person has decided so.
    queueHeldAt: waiting && isAnotherPhone(number, found) ? at : number.queueHeldAt,
  }
  const { change, event } = effects(number, retried(number, known, source), found, at)
  return {
    change: { ...change, nextCheckAt: anew ? firstCheckAt(change) : number.nextCheckAt },
    event,
    via: wayTo(number.status, status, event),
  }
}

/**
 * The status that a found state brings a number to. The network's own failure of a number that was connected is a hiccup
 * until the number had its time to come back, and so is a stop that nobody asked for; what is stopped stays so until a
 * person starts it.
 */
function statusAfter(number: KnownState, found: FoundState, source: StateSource): NumberStatus | null {
  const { status } = found
  if (status === number.status) return status
  if (number.status === 'STOPPED') return source === 'user' && status === 'STARTING' ? status : null
  if (source !== 'network') return status
  if (status === 'STOPPED' && number.desiredState === 'running') return number.status === 'FAILED' ? null : 'STARTING'
  const linked = number.networkId !== null || found.me !== null
  const connected = number.status === 'WORKING' || number.status === 'STARTING'
  return status === 'FAILED' && linked && connected ? 'STARTING' : status
}

/** The status between, when the contract has no move from one to the other, or none that tells this event. */
function wayTo(from: NumberStatus, to: NumberStatus, event: StateEvent | null): NumberStatus | null {
  const straight = numberMoves.some(
    (move) => move.to === to && move.from.includes(from) && (event === null || move.event === event),
  )
  return from === to || straight ? null : 'STARTING'
}

/** Counts a reconnection of the supervisor; one that a person asks for begins to count anew. */
function retried(number: KnownState, known: StateChange, source: StateSource): StateChange {
  if (known.status !== 'STARTING') return known
  if (source === 'user') return { ...known, retryCount: 0 }
  if (source !== 'supervisor') return known
  if (number.status === 'FAILED') return { ...known, retryCount: number.retryCount + 1 }
  return known.statusReason === 'no_acks' ? { ...known, noAcksAt: known.statusSince } : known
}

function whoIsLinked(number: KnownState, { me }: FoundState, status: NumberStatus): Partial<StateChange> {
  if (me) {
    return {
      phoneNumber: me.digits,
      networkId: me.id,
      pushName: me.pushName,
      everLinked: number.everLinked || status === 'WORKING',
      lastLinkedPhone: me.digits,
    }
  }
  // A number that waits for a phone has none; its digits stay, because they say which number this was.
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
  const told = number.lastReportedProblem !== null
  return {
    change: {
      ...known,
      connectedSince: number.status === 'WORKING' ? number.connectedSince : at,
      lastHealthyAt: at,
      downSince: null,
      lastReportedProblem: null,
      retryCount: 0,
      exhaustionReported: false,
      totalRecoveries: number.totalRecoveries + (told ? 1 : 0),
    },
    event: told ? 'session.recovered' : null,
  }
}

function needsScan(number: KnownState, down: StateChange, { reason }: FoundState, at: Date): Effects {
  // A first link that was not made yet is no trouble, and nobody has to hear of it.
  if (!down.everLinked) return { change: down, event: null }
  const failed = failure(number, down, at, sentences[reason ?? ''] ?? 'The number is no longer linked to a phone.')
  return {
    change: { ...failed, lastReportedProblem: 'needs_scan' },
    event: number.lastReportedProblem === 'needs_scan' ? null : 'session.needs_scan',
  }
}

function disconnected(number: KnownState, down: StateChange, { reason }: FoundState, at: Date): Effects {
  const sentence = sentences[reason ?? ''] ?? 'The connection to the network was lost.'
  if (!down.everLinked) return { change: { ...down, lastErrorAt: at, lastError: sentence }, event: null }
  const exhausted = down.retryCount >= maxRetries && !number.exhaustionReported
  return {
    change: {
      ...failure(number, down, at, sentence),
      lastReportedProblem: 'disconnected',
      exhaustionReported: number.exhaustionReported || exhausted,
      noAcksAt: reason === 'no_acks' ? null : number.noAcksAt,
    },
    event: number.lastReportedProblem === 'disconnected' && !exhausted ? null : 'session.disconnected',
  }
}

function unreachable(number: KnownState, down: StateChange, at: Date): Effects {
  return {
    change: { ...failure(number, down, at, sentences.instance_down ?? ''), lastReportedProblem: 'disconnected' },
    event: number.lastReportedProblem === 'disconnected' ? null : 'session.disconnected',
  }
}

/** One trouble counts once, however often it changes its shape until the number is back. */
function failure(number: KnownState, down: StateChange, at: Date, sentence: string): StateChange {
  return {
    ...down,
    totalFailures: number.totalFailures + (number.lastReportedProblem === null ? 1 : 0),
    lastErrorAt: at,
    lastError: sentence,
  }
}
