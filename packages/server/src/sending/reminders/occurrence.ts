import { isLocalTime, type Repeat } from '@msgctl/contract'
import { Temporal } from 'temporal-polyfill'

/** The schedule of a reminder: its first time, and how it repeats. */
export interface Schedule {
  readonly firstSendAt: Date
  readonly repeat: Repeat
  /** IANA name of the zone whose wall-clock time repeats keep. */
  readonly timeZone: string
}

const units = { daily: 'days', weekly: 'weeks', monthly: 'months' } as const

/**
 * Returns the first occurrence after `after`, or null when there is none (specification, "Reminder"). Occurrences are
 * counted from the first one: the 31st becomes the last day of a shorter month and is the 31st again in the next.
 * Wall-clock time is kept. A time that the clocks skip moves by the length of the gap; of a time that they repeat the
 * first is used.
 */
export function nextOccurrence({ firstSendAt, repeat, timeZone }: Schedule, after: Date): Date | null {
  if (firstSendAt > after) return firstSendAt
  if (repeat === 'none') return null
  const unit = units[repeat]
  const first = Temporal.Instant.fromEpochMilliseconds(firstSendAt.getTime()).toZonedDateTimeISO(timeZone)
  const passed = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone)
  // Start one step early, because daylight saving and short months round the number of steps either way.
  let steps = Math.max(0, first.until(passed, { largestUnit: unit })[unit] - 1)
  for (;;) {
    const occurrence = new Date(first.add({ [unit]: steps }).epochMilliseconds)
    if (occurrence > after) return occurrence
    steps += 1
  }
}

/**
 * Returns the instant of a requested time in UTC. A local time is one of `timeZone`, which the contract demands beside
 * it. As with repeats, a time that the clocks skip moves by the length of the gap; of one that they repeat, the first
 * is used.
 */
export function toInstant(sendAt: string, timeZone: string | undefined): string {
  if (!isLocalTime(sendAt)) return sendAt
  const local = Temporal.PlainDateTime.from(sendAt).toZonedDateTime(timeZone ?? 'UTC', { disambiguation: 'compatible' })
  return new Date(local.epochMilliseconds).toISOString()
}
