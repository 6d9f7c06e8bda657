import { type ReminderStatus, reminderAllows } from '@msgctl/contract'
import { nextOccurrence, type Schedule } from './occurrence.ts'

/** The part of a reminder in processing that decides its next move. */
export interface Processed extends Schedule {
  /** The occurrence that is due. */
  readonly sendAt: Date
  /** Failed attempts at this occurrence that are retried. */
  readonly failedTries: number
  /** Occurrences that failed in a row before this one. */
  readonly failedRepeats: number
}

/** The outcome of an attempt to send one occurrence. `error` is a code, such as NO_SESSION_CONFIGURED. */
export type ReminderOutcome =
  | { readonly is: 'sent' }
  | { readonly is: 'refused'; readonly error: string }
  | { readonly is: 'passing'; readonly error: string }
  | { readonly is: 'number_removed' }
  | { readonly is: 'missed' }
  /** Several processes died while they sent it. */
  | { readonly is: 'set_aside' }

/** The move of a reminder out of processing. */
export interface ReminderMove {
  readonly to: 'done' | 'scheduled' | 'failed'
  readonly by: 'send' | 'repeat' | 'retry' | 'refusal'
  readonly sendAt: Date
  /** When the job claims it again, while it is scheduled. */
  readonly dueAt: Date
  readonly failedTries: number
  readonly failedRepeats: number
  readonly lastError: string | null
}

const minuteMs = 60_000
const latestMs = 60 * minuteMs
const retryAfterMs = [minuteMs, 5 * minuteMs]
const lastRetryAfterMs = 15 * minuteMs
/** The job runs a last attempt that is planned for the end of the hour a little later. */
const lastTryGraceMs = minuteMs
const maxFailedRepeats = 5

/** The error of an occurrence that is more than an hour late. */
const missed = 'missed'
/** The error of a reminder whose number was removed. */
const numberRemoved = 'NUMBER_REMOVED'
/** The error of a reminder that was set aside. */
const internalError = 'INTERNAL_ERROR'

/** Returns whether an occurrence is too late to be sent: by more than an hour. */
export function isMissed({ sendAt, failedTries }: Pick<Processed, 'sendAt' | 'failedTries'>, now: Date): boolean {
  const graceMs = failedTries > 0 ? lastTryGraceMs : 0
  return now.getTime() - sendAt.getTime() > latestMs + graceMs
}

/**
 * Returns the move out of processing after one attempt. A passing failure is retried after 1 and 5 minutes and then
 * every 15 minutes, the last time an hour after `sendAt`. A repeating reminder continues with the next occurrence that
 * is not missed yet, until five have failed in a row. A reminder whose number was removed, or that was set aside,
 * fails.
 */
export function nextMove(reminder: Processed, outcome: ReminderOutcome, now: Date): ReminderMove {
  switch (outcome.is) {
    case 'sent':
      return continueOrEnd(reminder, now, { failedRepeats: 0, lastError: null }, 'done')
    case 'missed':
      // The service was down, so this occurrence counts neither as a failure nor as a success.
      return continueOrEnd(reminder, now, { failedRepeats: reminder.failedRepeats, lastError: missed }, 'failed')
    case 'number_removed':
      return end(reminder, 'failed', { failedRepeats: reminder.failedRepeats, lastError: numberRemoved })
    case 'set_aside':
      return end(reminder, 'failed', { failedRepeats: reminder.failedRepeats, lastError: internalError })
    case 'passing':
      return retry(reminder, outcome.error, now) ?? refuse(reminder, outcome.error, now)
    case 'refused':
      return refuse(reminder, outcome.error, now)
  }
}

type Kept = Pick<ReminderMove, 'failedRepeats' | 'lastError'>

function refuse(reminder: Processed, error: string, now: Date): ReminderMove {
  const kept = { failedRepeats: reminder.failedRepeats + 1, lastError: error }
  return kept.failedRepeats < maxFailedRepeats
    ? continueOrEnd(reminder, now, kept, 'failed')
    : end(reminder, 'failed', kept)
}

function retry({ sendAt, failedTries, failedRepeats }: Processed, lastError: string, now: Date): ReminderMove | null {
  const lastTryAt = sendAt.getTime() + latestMs
  if (now.getTime() >= lastTryAt) return null
  const waitMs = retryAfterMs[failedTries] ?? lastRetryAfterMs
  const dueAt = new Date(Math.min(now.getTime() + waitMs, lastTryAt))
  return { to: 'scheduled', by: 'retry', sendAt, dueAt, failedTries: failedTries + 1, failedRepeats, lastError }
}

/** Moves to the next occurrence, or to `otherwise` when there is none. */
function continueOrEnd(reminder: Processed, now: Date, kept: Kept, otherwise: 'done' | 'failed'): ReminderMove {
  const stillInTime = now.getTime() - latestMs - 1
  const sendAt = nextOccurrence(reminder, new Date(Math.max(reminder.sendAt.getTime(), stillInTime)))
  if (reminder.repeat === 'none' || sendAt === null) return end(reminder, otherwise, kept)
  return { to: 'scheduled', by: 'repeat', sendAt, dueAt: sendAt, failedTries: 0, ...kept }
}

function end({ sendAt, failedTries }: Processed, to: 'done' | 'failed', kept: Kept): ReminderMove {
  return { to, by: to === 'done' ? 'send' : 'refusal', sendAt, dueAt: sendAt, failedTries, ...kept }
}

/** An action of a caller: a change, a change with a new sendAt, or a cancellation. */
export type Action = keyof typeof reminderAllows

/** The result of an action: a status, which can be the present one, or the reason of a refusal. */
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
