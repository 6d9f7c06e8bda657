import type { State, View } from './explore.ts'

/** No time at all: the lane sleeps. */
export const never = 99
/** A time that is not reached: until then a guard rule holds a message. */
export const muchLater = 50

/** How long a claim is valid. */
export const lease = 2

/** The lane of a number: whether messages may leave it, when it is read next, and when it may send again. */
export interface Lane {
  readonly open: boolean
  readonly next: number
  readonly gate: number
}

/** A text. `claimedAt` and `claimedBy` belong to the claim of a message that is being sent. */
export interface Message {
  readonly lane: string
  readonly status: 'queued' | 'sending' | 'failed'
  readonly due: number
  readonly held?: boolean
  /** It never moves to another lane. */
  readonly pinned?: boolean
  readonly claimedAt?: number
  readonly claimedBy?: string
}

/** Whether the guard rules let messages leave {@link limitedLane}. */
export interface Limits {
  readonly allow: boolean
}

/** The lane of the number that has guard rules. */
export const limitedLane = 'lane A'

/** What the processes note for the check. */
export type LaneNote =
  | { readonly fault: string }
  | { readonly accepted: string }
  /** A claim that was committed. */
  | { readonly claimed: string; readonly lane: string; readonly at: number }

/** An open lane on which nothing waits. */
export const newLane: Lane = { open: true, next: never, gate: 0 }

/** Returns the lane as the statement sees it; null when it sees none. */
export function seeLane(view: View, lane: string): Lane | null {
  return view.see(lane) as Lane | null
}

/** Returns the lane as this transaction wrote it, else its newest version. */
export function newestLane(view: View, lane: string): Lane | null {
  return view.newest(lane) as Lane | null
}

/** Returns the messages that the statement sees. */
export function seeMessages(view: View): (readonly [key: string, message: Message])[] {
  return view.list('message') as (readonly [string, Message])[]
}

/** Returns the messages that the statement sees as queued on a lane. */
export function seeQueued(view: View, lane: string): (readonly [key: string, message: Message])[] {
  return seeMessages(view).filter(([, message]) => message.lane === lane && message.status === 'queued')
}

/** Returns the limits as the statement sees them. */
export function seeLimits(view: View): Limits {
  return (view.see('limits') as Limits | null) ?? { allow: true }
}

/**
 * Returns what is wrong while no transaction is open: a message that no claim will find in time, or what a step noted.
 * A closed lane must be due too: that is how the sweep finds what waits on it. Once all processes have ended, without a
 * death, nothing may be left to the sweep.
 */
export function faultOf(state: State, ended: boolean): string | null {
  const notes = state.notes as readonly LaneNote[]
  for (const note of notes) if ('fault' in note) return note.fault
  if (!state.database.isQuiet()) return null
  const rows = state.database.committed()
  const limits = rows.limits as Limits | null | undefined
  const lanes = Object.entries(rows).filter(([key, row]) => key.startsWith('lane') && row !== null)
  const anyOpen = lanes.some(([, lane]) => (lane as Lane).open)
  for (const [key, row] of Object.entries(rows)) {
    if (!key.startsWith('message') || row === null) continue
    const message = row as Message
    if (message.status !== 'queued') continue
    if (message.held && limits?.allow) return `${key} is held although the limits allow it`
    const lane = rows[message.lane] as Lane | null
    if (lane && lane.next > Math.max(message.due, lane.gate, state.time)) {
      return `${key} waits on ${message.lane}, which is not read in time`
    }
    const isLeft = lane === null || (!lane.open && anyOpen && !message.pinned)
    if (ended && !state.anyDied && isLeft)
      return `${key} is left on ${message.lane}, which is ${lane ? 'closed' : 'gone'}`
  }
  for (const note of notes) {
    if ('accepted' in note && rows[note.accepted] === null) return `${note.accepted} was accepted and is not stored`
  }
  return null
}
