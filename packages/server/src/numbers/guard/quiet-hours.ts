import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { hourMs, quietHours } from './guard-rules.ts'

/** Zones by country: reading them from ICU takes longer than the rest of a decision. */
const zonesOf = new Map<CountryCode, readonly string[]>()

/** Returns the time zones of a country. Node 20 has them as a property, later versions as a method. */
function zonesOfCountry(country: CountryCode): readonly string[] {
  const known = zonesOf.get(country)
  if (known) return known
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    readonly timeZones?: readonly string[]
    getTimeZones?(): readonly string[]
  }
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? []
  zonesOf.set(country, zones)
  return zones
}

/** Returns the country of a phone number, from its digits; null for a hidden id and for a number of no country. */
export function countryOf(recipient: string): CountryCode | null {
  if (recipient.endsWith('@lid')) return null
  return parsePhoneNumberFromString(`+${recipient}`)?.country ?? null
}

/** The part of a clock that a zone shows at an instant; keeping the formats saves 50 µs for each question. */
const formats = new Map<string, Intl.DateTimeFormat>()

function localMs(zone: string, at: Date): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    formats.set(zone, format)
  }
  const [hours = 0, minutes = 0] = format.format(at).split(':').map(Number)
  return hours * hourMs + minutes * 60_000 + (at.getTime() % 60_000)
}

/** Returns when the night of one zone ends; null by day. */
function nightEnd(zone: string, at: Date): Date | null {
  const timeMs = localMs(zone, at)
  const [fromMs, untilMs] = [quietHours.from * hourMs, quietHours.until * hourMs]
  if (timeMs >= untilMs && timeMs < fromMs) return null
  const leftMs = timeMs < untilMs ? untilMs - timeMs : 24 * hourMs - timeMs + untilMs
  return new Date(at.getTime() + leftMs)
}

/** The country's nights, kept while they hold: the recipients of a campaign share a few countries. */
const latest = new Map<CountryCode, { readonly from: number; readonly until: number; readonly quiet: Date | null }>()
const keptMs = 60_000

/**
 * Returns when it is day in all of a country, or null when it is day in all of it. In a country with several zones it
 * counts as night while it is night in any of them, because a number does not say where its owner lives.
 */
export function quietUntil(country: CountryCode | null, at: Date): Date | null {
  if (country === null) return null
  const ms = at.getTime()
  const known = latest.get(country)
  if (known && ms >= known.from && ms < known.until) return known.quiet
  const quiet = dayIn(country, at)
  // A night lasts until its end; the beginning of the next is noticed within a minute.
  latest.set(country, { from: ms, until: quiet?.getTime() ?? ms + keptMs, quiet })
  return quiet
}

function dayIn(country: CountryCode, at: Date): Date | null {
  let day = at
  // Each step ends one night. No country has zones more than a day apart, so this ends.
  for (let steps = 0; steps < 100; steps++) {
    const ends = zonesOfCountry(country).flatMap((zone) => nightEnd(zone, day) ?? [])
    if (ends.length === 0) return day === at ? null : day
    day = new Date(Math.max(...ends.map((end) => end.getTime())))
  }
  return day
}
