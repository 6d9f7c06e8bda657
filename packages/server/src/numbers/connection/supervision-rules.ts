import type { NumberStatus } from '@msgctl/contract'

const secondMs = 1000
const quickRetriesMs = [5, 10, 20, 40, 80].map((seconds) => seconds * secondMs)
const rareRetryMs = 300 * secondMs
/** How long a linked number may take to come back before it counts as disconnected. */
const backWithinMs = 30 * secondMs
/** How long a number without a link may be starting before the supervisor restarts it. */
const startedWithinMs = 60 * secondMs
/** When the network is queried after a start that it has not reported. */
const queryAfterMs = 5 * secondMs
/** Checks without a response after which a host is down. */
const probesToMiss = 3
const missedProbeIntervalMs = 5 * secondMs
const unreachableIntervalMs = 10 * secondMs
/** After a reconnection because of missing acknowledgements, the next silence within this time is a failure. */
const reconnectedLatelyMs = 3600 * secondMs

/** The interval between checks of a working number, and the lease of a claimed one. */
export const probeEveryMs = 60 * secondMs

/** What the supervisor needs to know of a number. */
export interface Supervised {
  readonly status: NumberStatus
  /** What the organization wants; the supervisor completes a stop that could not be executed. */
  readonly desiredState: 'running' | 'stopped'
  readonly statusSince: Date
  readonly statusReason: string | null
  /** Null: no phone is linked. */
  readonly networkId: string | null
  readonly retryCount: number
  /** When the network lets a failed number try again, and whether it must not at all. */
  readonly retryAt: Date | null
  readonly isFinal: boolean
  readonly missedProbes: number
  readonly noAcksAt: Date | null
}

/** Returns the delay of the next reconnection after a failure: 5, 10, 20, 40 and 80 s, then every five minutes. */
export function retryAfterMs(retryCount: number): number {
  return quickRetriesMs[retryCount] ?? rareRetryMs
}

/** Returns when a number needs its first check in a new status; null when only a person can change it. */
export function firstCheckAt(number: Omit<Supervised, 'desiredState'>): Date | null {
  switch (number.status) {
    case 'WORKING':
    case 'SCAN_QR_CODE':
      return after(number.statusSince, probeEveryMs)
    case 'STARTING':
      return after(number.statusSince, number.networkId === null ? startedWithinMs : queryAfterMs)
    case 'FAILED':
      return isRetried(number) ? (number.retryAt ?? after(number.statusSince, retryAfterMs(number.retryCount))) : null
    case 'UNREACHABLE':
      return nextUnreachableCheck(number.statusSince)
    case 'STOPPED':
      return null
  }
}

/**
 * Returns whether a failed number is restarted: not one that waits for a person, or that the network has refused for
 * good.
 */
function isRetried({ statusReason, isFinal }: Pick<Supervised, 'statusReason' | 'isFinal'>): boolean {
  return statusReason !== 'qr_expired' && !isFinal
}

/** What a check found about a number besides its row. */
export interface ProbeResult {
  /** Whether its host responded. */
  readonly hostResponds: boolean
  /** Whether the network has acknowledged nothing of what it sent, for five minutes. */
  readonly unheard: boolean
}

/** What the supervisor does with a number now. */
export type SupervisionAction =
  /** Nothing until `at`; `missedProbes` is stored. */
  | { readonly is: 'wait'; readonly at: Date | null; readonly missedProbes: number }
  /** Its host is down. */
  | { readonly is: 'unreachable' }
  /** Queries the network for its state. `overdue`: the time to come up is over unless the state is new. */
  | { readonly is: 'query'; readonly overdue: boolean }
  | { readonly is: 'retry' }
  | { readonly is: 'stop' }
  /** It works and nothing is acknowledged: its connection is restarted, or given up the second time. */
  | { readonly is: 'reconnect' }
  | { readonly is: 'give_up' }

/** Returns what follows from a check of a number (the transitions: `numberMoves` of the contract). */
export function nextAction(number: Supervised, { hostResponds, unheard }: ProbeResult, now: Date): SupervisionAction {
  if (number.status === 'STOPPED') return waitUntil(null)
  if (!hostResponds) return silentHost(number, now)
  if (number.desiredState === 'stopped') return { is: 'stop' }
  switch (number.status) {
    case 'UNREACHABLE':
      return { is: 'query', overdue: false }
    case 'STARTING':
      return { is: 'query', overdue: now >= startDeadline(number) }
    case 'FAILED':
      return failed(number, now)
    case 'WORKING':
      return unheard ? silentNetwork(number, now) : waitUntil(after(now, probeEveryMs))
    case 'SCAN_QR_CODE':
      return waitUntil(after(now, probeEveryMs))
  }
}

/** Returns until when a number may be starting: 30 s for one that is linked. */
export function startDeadline({ statusSince, networkId }: Supervised): Date {
  return after(statusSince, networkId === null ? startedWithinMs : backWithinMs)
}

/** Returns when the host of an unreachable number is checked again. */
export function nextUnreachableCheck(now: Date): Date {
  return after(now, unreachableIntervalMs)
}

function silentHost({ status, missedProbes }: Supervised, now: Date): SupervisionAction {
  if (status === 'UNREACHABLE') return waitUntil(nextUnreachableCheck(now))
  if (missedProbes + 1 >= probesToMiss) return { is: 'unreachable' }
  return waitUntil(after(now, missedProbeIntervalMs), missedProbes + 1)
}

function failed(number: Supervised, now: Date): SupervisionAction {
  const at = firstCheckAt(number)
  return at !== null && now >= at ? { is: 'retry' } : waitUntil(at)
}

function silentNetwork({ noAcksAt }: Supervised, now: Date): SupervisionAction {
  const lately = noAcksAt !== null && now < after(noAcksAt, reconnectedLatelyMs)
  return { is: lately ? 'give_up' : 'reconnect' }
}

function waitUntil(at: Date | null, missedProbes = 0): SupervisionAction {
  return { is: 'wait', at, missedProbes }
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
