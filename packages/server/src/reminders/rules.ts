import { type ReminderStatus, reminderAllows } from '@msgctl/contract'
import { nextOccurrence, type Schedule } from './occurrence.ts'

/** A reminder that is being processed, as far as its next move depends on it. */
export interface Processed extends Schedule {
  /** The occurrence that is due. */
  readonly sendAt: Date
  /** Tries of this occurrence that failed in passing. */
  readonly failedTries: number
  /** Occurrences that failed in a row before this one. */
  readonly failedRepeats: number
}

/** What came of trying to send one occurrence. `error` is a code, such as NO_SESSION_CONFIGURED. */
export type ReminderOutcome =
  | { readonly is: 'sent' }
  | { readonly is: 'refused'; readonly error: string }
  | { readonly is: 'passing'; readonly error: string }
  | { readonly is: 'number_removed' }
  | { readonly is: 'missed' }

/** Where a reminder goes from processing. */
export interface ReminderMove {
  readonly to: 'done' | 'scheduled' | 'failed'
  readonly by: 'send' | 'repeat' | 'retry' | 'refusal'
  readonly sendAt: Date
  /** When the job looks at it again, while it is scheduled. */
  readonly dueAt: Date
  readonly failedTries: number
  readonly failedRepeats: number
  readonly lastError: string | null
}

const minuteMs = 60_000
const latestMs = 60 * minuteMs
const retryAfterMs = [minuteMs, 5 * minuteMs]
const laterRetryAfterMs = 15 * minuteMs
/** A last try planned for the end of the hour runs when the job comes by, which is a little later. */
const lastTryGraceMs = minuteMs
const mostFailedRepeats = 5

/** The error of an occurrence whose time had passed by more than an hour. */
const missed = 'missed'
/** The error of a reminder whose own number is no more. */
const numberRemoved = 'NUMBER_REMOVED'

/** Whether an occurrence is too late to be sent: by more than an hour. */
export function isMissed({ sendAt, failedTries }: Pick<Processed, 'sendAt' | 'failedTries'>, now: Date): boolean {
  const graceMs = failedTries > 0 ? lastTryGraceMs : 0
  return now.getTime() - sendAt.getTime() > latestMs + graceMs
}

/**
 * The move out of processing after one try. A passing failure is tried again after 1 and 5 minutes and then every 15,
 * the last time an hour after its time. A repeating reminder goes on with its next occurrence that is not missed by now,
 * until five have failed in a row. A number that was removed does not come back: the reminder fails.
 */
export function nextMove(reminder: Processed, outcome: ReminderOutcome, now: Date): ReminderMove {
  switch (outcome.is) {
    case 'sent':
      return goOn(reminder, now, { failedRepeats: 0, lastError: null }, 'done')
    case 'missed':
      // That the service was away says nothing of the reminder: it neither adds to the failures in a row nor ends them.
      return goOn(reminder, now, { failedRepeats: reminder.failedRepeats, lastError: missed }, 'failed')
    case 'number_removed':
      return end(reminder, 'failed', { failedRepeats: reminder.failedRepeats, lastError: numberRemoved })
    case 'passing':
      return retry(reminder, outcome.error, now) ?? refuse(reminder, outcome.error, now)
    case 'refused':
      return refuse(reminder, outcome.error, now)
  }
}

type Kept = Pick<ReminderMove, 'failedRepeats' | 'lastError'>

function refuse(reminder: Processed, error: string, now: Date): ReminderMove {
  const kept = { failedRepeats: reminder.failedRepeats + 1, lastError: error }
  return kept.failedRepeats < mostFailedRepeats ? goOn(reminder, now, kept, 'failed') : end(reminder, 'failed', kept)
}

function retry({ sendAt, failedTries, failedRepeats }: Processed, lastError: string, now: Date): ReminderMove | null {
  const lastTryAt = sendAt.getTime() + latestMs
  if (now.getTime() >= lastTryAt) return null
  const waitMs = retryAfterMs[failedTries] ?? laterRetryAfterMs
  const dueAt = new Date(Math.min(now.getTime() + waitMs, lastTryAt))
  return { to: 'scheduled', by: 'retry', sendAt, dueAt, failedTries: failedTries + 1, failedRepeats, lastError }
}

/** To the next occurrence, or to `otherwise` when there is none. */
function goOn(reminder: Processed, now: Date, kept: Kept, otherwise: 'done' | 'failed'): ReminderMove {
  const stillInTime = now.getTime() - latestMs - 1
  const sendAt = nextOccurrence(reminder, new Date(Math.max(reminder.sendAt.getTime(), stillInTime)))
  if (reminder.repeat === 'none' || sendAt === null) return end(reminder, otherwise, kept)
  return { to: 'scheduled', by: 'repeat', sendAt, dueAt: sendAt, failedTries: 0, ...kept }
}

function end({ sendAt, failedTries }: Processed, to: 'done' | 'failed', kept: Kept): ReminderMove {
  return { to, by: to === 'done' ? 'send' : 'refusal', sendAt, dueAt: sendAt, failedTries, ...kept }
}

/** What a person does to a reminder: changes it, changes it with a new sendAt, or cancels it. */
export type Action = keyof typeof reminderAllows

/** What an action comes to: a state (which may be the one it is in), or why there is none. */
export type TransitionResult =
  | { readonly is: 'state'; readonly to: ReminderStatus }
  | { readonly is: 'refused'; readonly reason: 'processing' | 'finished' }

/** Decides what an action does to a reminder in this status (specification, "Reminder statuses"). */
export function transition(status: ReminderStatus, action: Action): TransitionResult {
  const allowed: readonly ReminderStatus[] = reminderAllows[action]
  if (!allowed.includes(status)) return { is: 'refused', reason: status === 'processing' ? 'processing' : 'finished' }
  const to = { update: status, rearm: 'scheduled', cancel: 'cancelled' } as const
  return { is: 'state', to: to[action] }
}
