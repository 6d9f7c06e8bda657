import { usageFailure } from '../errors/exit-codes.ts'

/** What a time is relative to. */
export interface MomentContext {
  readonly nowMs: number
  /** The zone of a time without an offset. */
  readonly timeZone: string
  /** Receives what a user must know of the time that was taken (default: nothing). */
  readonly note?: (text: string) => void
}

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
const localTime = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d))?$/
const weekday = 'mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?'
const dayAndTime = new RegExp(`^(today|tomorrow|${weekday})?\\s*(?:at\\s+)?(\\d{1,2}):(\\d\\d)$`, 'i')
const relative = /^\+((?:\d{1,6}[smhd])+)$/
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const dayMs = 86_400_000
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs }

/** Whether what a time means depends on a time zone: it has no offset, and is not counted from now. */
export function isLocalTime(text: string): boolean {
  return !withOffset.test(text) && !relative.test(text)
}

/** Date and time on a clock, without a zone; the month counts from 1. */
interface ClockTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Returns the clock of a zone at a moment. Throws a usage error for an unknown zone. */
function clockAt(atMs: number, timeZone: string): ClockTime {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
      format.format(atMs).match(/\d+/g) ?? []
    ).map(Number)
    return { year, month, day, hour, minute, second }
  } catch {
    throw usageFailure(`The time zone ${timeZone} is unknown.`, 'Example: --time-zone Europe/Berlin')
  }
}

function asUtcMs({ year, month, day, hour, minute, second }: ClockTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * Returns the moment at which the clock of a zone shows this time, as the service does: a time that the clocks skip
 * moves by the length of the gap, and of one that they repeat the first is used. `note` reports both.
 */
function momentOf(clock: ClockTime, { timeZone, note }: MomentContext): number {
  const wanted = asUtcMs(clock)
  // By the offsets before and after a change, which lies within a day if there is one.
  const [early = wanted, late = wanted] = [-dayMs, dayMs]
    .map((awayMs) => wanted - (asUtcMs(clockAt(wanted + awayMs, timeZone)) - (wanted + awayMs)))
    .sort((a, b) => a - b)
  const shown = [early, late].filter((atMs) => asUtcMs(clockAt(atMs, timeZone)) === wanted)
  const atMs = shown[0] ?? late
  if (shown.length === 0) {
    const moved = written(asUtcMs(clockAt(atMs, timeZone)))
    note?.(`The clocks of ${timeZone} skip ${written(wanted)}. This is taken as ${moved}, ${inUtc(atMs)}.`)
  } else if (shown.length > 1 && early !== late) {
    note?.(
      `The clocks of ${timeZone} show ${written(wanted)} twice. This is the first time, ${inUtc(atMs)}; the second ` +
        `is ${inUtc(late)}.`,
    )
  }
  return atMs
}

/** Returns a time of a clock as a user types it: `2027-03-14 02:30`. */
function written(asUtc: number): string {
  return new Date(asUtc).toISOString().replace('T', ' ').slice(0, 16)
}

function inUtc(atMs: number): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z')
}

function fromDayAndTime([, word, hour, minute]: RegExpExecArray, context: MomentContext): number {
  const { nowMs, timeZone } = context
  const now = clockAt(nowMs, timeZone)
  const name = word?.toLowerCase()
  const at = (ahead: number) => {
    const date = new Date(Date.UTC(now.year, now.month - 1, now.day + ahead))
    const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    return { ...day, hour: Number(hour), minute: Number(minute), second: 0 }
  }
  if (name === 'today') return momentOf(at(0), context)
  if (name === 'tomorrow') return momentOf(at(1), context)
  const today = new Date(Date.UTC(now.year, now.month - 1, now.day)).getUTCDay()
  const weekday = name === undefined ? today : days.indexOf(name.slice(0, 3))
  const ahead = (weekday - today + 7) % 7
  const isAhead = momentOf(at(ahead), { nowMs, timeZone }) > nowMs
  return momentOf(at(isAhead ? ahead : ahead + (name === undefined ? 1 : 7)), context)
}

function momentFrom(text: string, context: MomentContext): number {
  if (withOffset.test(text)) return Date.parse(text)
  const span = relative.exec(text)
  if (span) {
    const parts = [...(span[1] ?? '').matchAll(/(\d{1,6})([smhd])/g)]
    return parts.reduce((atMs, [, count, unit]) => atMs + Number(count) * (unitMs[unit ?? ''] ?? 0), context.nowMs)
  }
  const local = localTime.exec(text)
  if (local) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local
      .slice(1)
      .map((part) => Number(part ?? 0))
    return momentOf({ year, month, day, hour, minute, second }, context)
  }
  const named = dayAndTime.exec(text)
  return named && Number(named[2]) < 24 && Number(named[3]) < 60 ? fromDayAndTime(named, context) : Number.NaN
}

/**
 * Parses a time for the service: with an offset, a local one (`2027-01-31 09:00`), a day and a time (`tomorrow 9:00`),
 * or one from now (`+2h`). Throws a usage error that names `what`, also for a time in the past.
 */
export function instantFrom(typed: string, what: string, context: MomentContext): string {
  const text = typed.trim()
  const atMs = momentFrom(text, context)
  if (Number.isNaN(atMs)) {
    throw usageFailure(
      `${what} is not a time: ${text}.`,
      'Examples: +2h, tomorrow 9:00, "2027-01-31 09:00", 2027-01-31T09:00:00+01:00.',
    )
  }
  if (atMs <= context.nowMs) throw usageFailure(`${what} is in the past: ${text}.`)
  return withOffset.test(text) ? text : inUtc(atMs)
}
