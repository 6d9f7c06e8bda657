import * as z from 'zod'
import { limits } from './limits.ts'

const minutesOnly = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/

/** Returns an instant in UTC, or null outside the years 1 to 8999, for which timestamps have four-digit years. */
function toUtc(text: string): string | null {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  return year >= 1 && year < 9000 ? date.toISOString() : null
}

function refuseYear(context: z.RefinementCtx, last: number): never {
  context.addIssue({
    code: 'custom',
    message: `must be a year from 1 to ${last}`,
    params: { code: 'invalid_datetime' },
  })
  return z.NEVER
}

/** Returns an instant in UTC with milliseconds, or reports why it is none. */
function inUtc(text: string, context: z.RefinementCtx): string {
  return toUtc(text) ?? refuseYear(context, 8999)
}

/** Returns a local time as it is, or reports its year: in every zone, the instant of one that passes is in range. */
function inLocalYears(text: string, context: z.RefinementCtx): string {
  const year = Number(text.slice(0, 4))
  return year >= 1 && year < 8999 ? text : refuseYear(context, 8998)
}

/**
 * An instant in a request: ISO 8601 with Z or any offset, seconds optional. Parsing returns the same instant in UTC
 * with milliseconds. A time without Z or an offset is rejected, because it does not identify an instant.
 */
export const instant = z
  .string()
  .max(limits.instant)
  .overwrite((text) => text.replace(minutesOnly, '$1:00$2'))
  .pipe(z.iso.datetime({ offset: true, error: 'must be ISO 8601 with Z or an offset, like 2026-10-01T09:00:00Z' }))
  .transform(inUtc)
  .meta({ format: 'date-time' })

const isoWithOffset = z.iso.datetime({ offset: true })
const isoLocal = z.iso.datetime({ local: true })
const localForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/

/** Returns whether a time is one of a clock on a wall: ISO 8601 without Z or an offset. */
export function isLocalTime(text: string): boolean {
  return localForm.test(text)
}

/**
 * An instant, or a local time, which identifies one only together with a time zone. Parsing returns the instant in UTC,
 * or the local time as it is; {@link withZoneOfLocalTimes} demands the zone.
 */
export const instantOrLocalTime = z
  .string()
  .max(limits.instant)
  .overwrite((text) => text.replace(minutesOnly, '$1:00$2'))
  .transform((text, context) => {
    if (isLocalTime(text) && isoLocal.safeParse(text).success) return inLocalYears(text, context)
    if (isoWithOffset.safeParse(text).success) return inUtc(text, context)
    context.addIssue({
      code: 'custom',
      message:
        'must be ISO 8601 with Z or an offset, like 2026-10-01T09:00:00Z, or a local time with timeZone beside it',
      params: { code: 'invalid_datetime' },
    })
    return z.NEVER
  })
  .meta({ format: 'date-time' })

/** What a refinement of an object needs, so that a local `sendAt` has a `timeZone` beside it. */
export const withZoneOfLocalTimes = [
  ({ sendAt, timeZone }: { readonly sendAt?: unknown; readonly timeZone?: unknown }) =>
    typeof sendAt !== 'string' || !isLocalTime(sendAt) || timeZone !== undefined,
  {
    error: 'must be ISO 8601 with Z or an offset, like 2026-10-01T09:00:00Z, or have timeZone beside it',
    path: ['sendAt'] as string[],
    params: { code: 'invalid_datetime' },
  },
] as const

/** Time zones already recognized, in lower case. Only existing zones are added, which bounds the set. */
const knownZones = new Set<string>()
const zoneName = /^[a-z][a-z0-9_+\-/]*$/

function isTimeZone(text: string): boolean {
  const name = text.toLowerCase()
  if (knownZones.has(name)) return true
  if (!zoneName.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  knownZones.add(name)
  return true
}

/** A time zone by its IANA name, like Europe/Berlin. An offset such as +02:00 is rejected. */
export const timeZone = z
  .string()
  .min(1)
  .max(limits.timeZone)
  .refine(isTimeZone, 'must be an IANA time zone like Europe/Berlin')
  .optional()
  .describe('IANA time zone in which repeats keep their wall-clock time, and of a local `sendAt` (default: UTC).')
