import { usageFailure } from '../errors/exit-codes.ts'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses `90`, `90s`, `15m`, `2h` or `1d` to seconds. Throws a usage error that names `what`. */
export function secondsFrom(text: string, what: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text.trim())
  const seconds = match ? Number(match[1]) * (units[match[2] || 's'] ?? 1) : 0
  if (seconds > 0) return seconds
  throw usageFailure(`${what} must be a positive duration such as 90, 90s, 15m, 2h or 1d.`)
}

/**
 * Returns the time of `--since` and the like for the service: `1h` means an hour before `nowMs`, anything else is
 * passed on as it was typed.
 */
export function pastTime(text: string, nowMs: number): string {
  const match = /^(\d{1,9})([smhd])$/.exec(text.trim())
  if (match === null) return text
  const seconds = Number(match[1]) * (units[match[2] ?? ''] ?? 0)
  return new Date(nowMs - seconds * 1000).toISOString()
}

/** Parses a whole number from `minimum` to `maximum`. Throws a usage error that names `what`. */
export function wholeFrom(text: string, what: string, minimum: number, maximum: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw usageFailure(`${what} must be a whole number from ${minimum} to ${maximum}.`)
}

/** Formats a duration, like `13 h 53 min`, `4 min` or `35 s`. */
export function shownSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
