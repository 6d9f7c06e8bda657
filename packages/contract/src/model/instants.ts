import * as z from 'zod'
import { limits } from './limits.ts'

const minutesOnly = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/

/** The UTC form of an instant, or null outside of the years 1 to 8999, which a timestamp of four digits must hold. */
function toUtc(text: string): string | null {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  return year >= 1 && year < 9000 ? date.toISOString() : null
}

/**
 * An instant from outside: ISO 8601 with Z or any offset, seconds optional. Parsed, it is the same instant in UTC with
 * milliseconds. A time without Z or offset is refused, because nobody can say which instant it is.
 */
export const instant = z
  .string()
  .max(limits.instant)
  .overwrite((text) => text.replace(minutesOnly, '$1:00$2'))
  .pipe(z.iso.datetime({ offset: true, error: 'must be ISO 8601 with Z or an offset, like 2026-10-01T09:00:00Z' }))
  .transform((text, context) => {
    const utc = toUtc(text)
    if (utc !== null) return utc
    context.addIssue({
      code: 'custom',
      message: 'must be a year from 1 to 8999',
      params: { code: 'invalid_datetime' },
    })
    return z.NEVER
  })
  .meta({ format: 'date-time' })

/** Zones already recognized, in lower case: never more than the zones that exist. */
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

/** A time zone by its IANA name, like Europe/Berlin; a bare offset is none. */
export const timeZone = z
  .string()
  .min(1)
  .max(limits.timeZone)
  .refine(isTimeZone, 'must be an IANA time zone like Europe/Berlin')
  .optional()
  .describe('IANA time zone whose wall-clock time repeats keep across daylight saving. Default UTC.')
