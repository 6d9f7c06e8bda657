import type { SessionState } from '../gateway/gateway.ts'
import type { StateChange } from './state-store.ts'
import type { NumberRow } from './store.ts'

/** The event a step of a number's state tells, if any. */
export type StateEvent = 'session.recovered' | 'session.needs_scan' | 'session.disconnected'

/** What the rules look at in a number. */
export type KnownState = StateChange & Pick<NumberRow, 'status'>

/** A step of a number's state: what changes in its row, and the event it tells. */
export interface Step {
  readonly change: StateChange
  readonly event: StateEvent | null
}

const sentences: Record<string, string> = {
  logged_out: 'The phone ended the link.',
  qr_expired: 'No QR was scanned in time.',
  connection_lost: 'The connection to the network was lost.',
  start_failed: 'The network could not be asked to start the number.',
}

/** Whether a report names another phone than the one that was linked last. */
export function isAnotherPhone(number: Pick<NumberRow, 'lastLinkedPhone'>, { me }: SessionState): boolean {
  return me !== null && number.lastLinkedPhone !== null && number.lastLinkedPhone !== me.digits
}

/**
 * What a reported state changes in a number and which event it tells. A trouble is told once until the number is back or
 * the trouble turns into the other one: disconnected or needs_scan only for a number that was ever linked, recovered
 * only after one of them. `waiting` says whether messages wait that were meant for the phone linked before.
 */
export function nextState(
  number: KnownState,
  reported: SessionState,
  { at, waiting }: { at: Date; waiting: boolean },
): Step {
  const known: StateChange = {
    ...number,
    ...whoIsLinked(number, reported),
    status: reported.status,
    // What was queued for one phone must not leave from another before a person has decided so.
    heldAt: waiting && isAnotherPhone(number, reported) ? at : number.heldAt,
  }
  if (reported.status === 'WORKING') return working(number, known, at)
  const down = { ...known, connectedSince: null, downSince: number.downSince ?? at }
  if (reported.status === number.status) return { change: down, event: null }
  switch (reported.status) {
    case 'SCAN_QR_CODE':
      return needsScan(number, down, reported, at)
    case 'FAILED':
      return disconnected(number, down, reported, at)
    default:
      return { change: down, event: null }
  }
}

function whoIsLinked(number: KnownState, { me, status }: SessionState): Partial<StateChange> {
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

function working(number: KnownState, known: StateChange, at: Date): Step {
  const told = number.announced !== null
  return {
    change: {
      ...known,
      connectedSince: number.status === 'WORKING' ? number.connectedSince : at,
      lastHealthyAt: at,
      downSince: null,
      announced: null,
      retryCount: 0,
      totalRecoveries: number.totalRecoveries + (told ? 1 : 0),
    },
    event: told ? 'session.recovered' : null,
  }
}

function needsScan(number: KnownState, down: StateChange, { reason }: SessionState, at: Date): Step {
  // A first link that was not made yet is no trouble, and nobody has to hear of it.
  if (!down.everLinked) return { change: down, event: null }
  const failed = failure(number, down, at, sentences[reason ?? ''] ?? 'The number is no longer linked to a phone.')
  return {
    change: { ...failed, announced: 'needs_scan' },
    event: number.announced === 'needs_scan' ? null : 'session.needs_scan',
  }
}

function disconnected(number: KnownState, down: StateChange, { reason }: SessionState, at: Date): Step {
  const failed = failure(number, down, at, sentences[reason ?? ''] ?? 'The connection to the network was lost.')
  if (!down.everLinked) return { change: failed, event: null }
  return {
    change: { ...failed, announced: 'disconnected' },
    event: number.announced === 'disconnected' ? null : 'session.disconnected',
  }
}

/** One trouble counts once, however often it changes its shape until the number is back. */
function failure(number: KnownState, down: StateChange, at: Date, sentence: string): StateChange {
  return {
    ...down,
    totalFailures: number.totalFailures + (number.announced === null && down.everLinked ? 1 : 0),
    lastErrorAt: at,
    lastError: sentence,
  }
}
