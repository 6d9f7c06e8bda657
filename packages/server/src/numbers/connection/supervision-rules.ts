import type { NumberStatus } from '@msgctl/contract'

const secondMs = 1000
const quickRetriesMs = [5, 10, 20, 40, 80].map((seconds) => seconds * secondMs)
const rareRetryMs = 300 * secondMs
/** How long a linked number may take to come back before it counts as disconnected. */
const backWithinMs = 30 * secondMs
/** How long a number without a link may be starting before somebody starts it once more. */
const startedWithinMs = 60 * secondMs
/** When the network is asked what became of a start that it has not told. */
const askAfterMs = 5 * secondMs
/** Looks without an answer after which a host is down. */
const probesToMiss = 3
const missedProbeIntervalMs = 5 * secondMs
const unreachableIntervalMs = 10 * secondMs
/** After a reconnection for want of acknowledgements, the next silence within this time is a failure. */
const reconnectedLatelyMs = 3600 * secondMs

/** How long a number that just worked is left alone; also how long a look holds a number that it has taken. */
export const probeEveryMs = 60 * secondMs

/** What the supervisor looks at in a number. */
export interface Supervised {
  readonly status: NumberStatus
  /** What the organization asked for; a stop that could not be carried out is made up for. */
  readonly desiredState: 'running' | 'stopped'
  readonly statusSince: Date
  readonly statusReason: string | null
  /** Null: no phone is linked. */
  readonly networkId: string | null
  readonly retryCount: number
  readonly missedProbes: number
  readonly noAcksAt: Date | null
}

/** How long after a failure the next reconnection is tried: 5, 10, 20, 40 and 80 s, and then every five minutes. */
export function retryAfterMs(retryCount: number): number {
  return quickRetriesMs[retryCount] ?? rareRetryMs
}

/** When a number that came to its status just now needs its first look; null when only a person moves it on. */
export function firstCheckAt(number: Omit<Supervised, 'desiredState'>): Date | null {
  switch (number.status) {
    case 'WORKING':
    case 'SCAN_QR_CODE':
      return after(number.statusSince, probeEveryMs)
    case 'STARTING':
      return after(number.statusSince, number.networkId === null ? startedWithinMs : askAfterMs)
    case 'FAILED':
      return isRetried(number) ? after(number.statusSince, retryAfterMs(number.retryCount)) : null
    case 'UNREACHABLE':
      return nextUnreachableCheck(number.statusSince)
    case 'STOPPED':
      return null
  }
}

/** Nobody scans a QR faster because it is shown again: a number that was given up on waits for a person. */
function isRetried({ statusReason }: Pick<Supervised, 'statusReason'>): boolean {
  return statusReason !== 'qr_expired'
}

/** What was found out about a number besides its row. */
export interface ProbeResult {
  /** Whether its host answered. */
  readonly hostAnswers: boolean
  /** Whether the network has acknowledged nothing of what it sent, for five minutes. */
  readonly unheard: boolean
}

/** What the supervisor does about a number now. */
export type SupervisionAction =
  /** Nothing, until `at`; `missedProbes` is to be noted. */
  | { readonly is: 'rest'; readonly at: Date | null; readonly missedProbes: number }
  /** Its host is down. */
  | { readonly is: 'unreachable' }
  /** Asks the network for its state. `overdue`: when that is no news, the time to come up is over. */
  | { readonly is: 'ask'; readonly overdue: boolean }
  | { readonly is: 'retry' }
  | { readonly is: 'stop' }
  /** It works and nothing is acknowledged: its connection is made anew, or, the second time, given up. */
  | { readonly is: 'reconnect' }
  | { readonly is: 'give_up' }

/** Decides what follows from a look at a number (the table of its states: `numberMoves` of the contract). */
export function nextAction(number: Supervised, { hostAnswers, unheard }: ProbeResult, now: Date): SupervisionAction {
  if (number.status === 'STOPPED') return rest(null)
  if (!hostAnswers) return silentHost(number, now)
  if (number.desiredState === 'stopped') return { is: 'stop' }
  switch (number.status) {
    case 'UNREACHABLE':
      return { is: 'ask', overdue: false }
    case 'STARTING':
      return { is: 'ask', overdue: now >= startDeadline(number) }
    case 'FAILED':
      return failed(number, now)
    case 'WORKING':
      return unheard ? silentNetwork(number, now) : rest(after(now, probeEveryMs))
    case 'SCAN_QR_CODE':
      return rest(after(now, probeEveryMs))
  }
}

/** When a number that is starting has had its time: 30 s for one that is linked. */
export function startDeadline({ statusSince, networkId }: Supervised): Date {
  return after(statusSince, networkId === null ? startedWithinMs : backWithinMs)
}

/** When the host of an unreachable number is tried again. */
export function nextUnreachableCheck(now: Date): Date {
  return after(now, unreachableIntervalMs)
}

function silentHost({ status, missedProbes }: Supervised, now: Date): SupervisionAction {
  if (status === 'UNREACHABLE') return rest(nextUnreachableCheck(now))
  if (missedProbes + 1 >= probesToMiss) return { is: 'unreachable' }
  return rest(after(now, missedProbeIntervalMs), missedProbes + 1)
}

function failed(number: Supervised, now: Date): SupervisionAction {
  const at = firstCheckAt(number)
  return at !== null && now >= at ? { is: 'retry' } : rest(at)
}

function silentNetwork({ noAcksAt }: Supervised, now: Date): SupervisionAction {
  const lately = noAcksAt !== null && now < after(noAcksAt, reconnectedLatelyMs)
  return { is: lately ? 'give_up' : 'reconnect' }
}

function rest(at: Date | null, missedProbes = 0): SupervisionAction {
  return { is: 'rest', at, missedProbes }
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
