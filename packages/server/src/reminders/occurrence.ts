import type { Repeat } from '@msgctl/contract'
import { Temporal } from 'temporal-polyfill'

/** When a reminder is sent: its first time, and how it repeats from there. */
export interface Schedule {
  readonly firstSendAt: Date
  readonly repeat: Repeat
  /** IANA name of the zone whose wall-clock time repeats keep. */
  readonly timeZone: string
}

const units = { daily: 'days', weekly: 'weeks', monthly: 'months' } as const

/**
 * The first occurrence after `after`, or null when there is none (specification, "Reminder"). Every occurrence is counted
 * from the first one, so that the 31st is the last day of a shorter month and the 31st again in the next. Wall-clock
 * time is kept: a time that the clocks leave out moves on by what they leave out, and of one that they show twice it is
 * the first.
 */
export function nextOccurrence({ firstSendAt, repeat, timeZone }: Schedule, after: Date): Date | null {
  if (firstSendAt > after) return firstSendAt
  if (repeat === 'none') return null
  const unit = units[repeat]
  const first = Temporal.Instant.fromEpochMilliseconds(firstSendAt.getTime()).toZonedDateTimeISO(timeZone)
  const passed = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone)
  // One less than the whole steps between the two, since daylight saving and short months round them either way.
  let steps = Math.max(0, first.until(passed, { largestUnit: unit })[unit] - 1)
  for (;;) {
    const occurrence = new Date(first.add({ [unit]: steps }).epochMilliseconds)
    if (occurrence > after) return occurrence
    steps += 1
  }
}
