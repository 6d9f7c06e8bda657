import type { Host } from '../host.ts'

/** Formats the times of the service for a person. */
export interface Times {
  /** Formats a moment for a list: `5 min ago`, `in 2 h`, or a date. */
  relative(iso: string): string
  /** Formats a moment for a record or a line: local date and time, or UTC with Z. */
  absolute(iso: string): string
  /** Formats a moment for a question: date and time in `timeZone` (default: the local one), and the zone. */
  zoned(iso: string, timeZone?: string): string
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** From here on a date says more than a number of days. */
const longestRelative = 7 * day

/** Returns whether a value is a time of the service. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && instant.test(value)
}

/** Returns date and time in a zone, like `2027-01-31 09:00:00`; with a Z in UTC. */
function zonedTime(atMs: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(atMs)
  return timeZone === 'UTC' ? `${text}Z` : text
}

function span(seconds: number): string {
  if (seconds < minute) return `${Math.floor(seconds)} s`
  if (seconds < hour) return `${Math.floor(seconds / minute)} min`
  return seconds < day ? `${Math.floor(seconds / hour)} h` : `${Math.floor(seconds / day)} d`
}

/** Returns the formats of one run. With `utc`, or without a terminal, every time is absolute and in UTC. */
export function createTimes(host: Pick<Host, 'now' | 'timeZone' | 'stdout'>, utc: boolean): Times {
  const isLocal = !utc && host.stdout.isTTY === true
  const absolute = (iso: string) => zonedTime(Date.parse(iso), isLocal ? host.timeZone : 'UTC')
  function relative(iso: string): string {
    const seconds = (Date.parse(iso) - host.now()) / 1000
    const size = Math.abs(seconds)
    if (!isLocal || size >= longestRelative) return isLocal ? absolute(iso).slice(0, 10) : absolute(iso)
    if (size < 1) return 'now'
    return seconds < 0 ? `${span(size)} ago` : `in ${span(size)}`
  }
  function zoned(iso: string, timeZone = utc ? 'UTC' : host.timeZone): string {
    return `${zonedTime(Date.parse(iso), timeZone).replace('Z', '')} (${timeZone})`
  }
  return { relative, absolute, zoned }
}
