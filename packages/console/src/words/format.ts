import { t } from './index.ts'
import { locale } from './language.ts'
import { number } from './plural.ts'

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
const clockSeconds = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const dayMonthYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })

const listing = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })

const dayMs = 86_400_000

function sameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** Returns the time of day. */
export function time(at: string | number, seconds = false): string {
  return (seconds ? clockSeconds : clock).format(new Date(at))
}

/** Returns the day, with the year if it is another one. */
export function dayOf(at: string | number): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date().getFullYear() ? dayMonth : dayMonthYear).format(date)
}

/** Returns the day in words: today, yesterday, or its date. */
export function dayName(at: string): string {
  const date = new Date(at)
  const now = new Date()
  if (sameDay(date, now)) return t.time.today
  return sameDay(date, new Date(now.getTime() - dayMs)) ? t.time.yesterday : dayOf(at)
}

/** Returns the time of day for today, and the day otherwise. */
export function when(at: string): string {
  return sameDay(new Date(at), new Date()) ? time(at) : dayOf(at)
}

/** Returns day and time. */
export function dayAndTime(at: string): string {
  return sameDay(new Date(at), new Date()) ? time(at) : `${dayOf(at)}, ${time(at)}`
}

/** Returns day and time to the second. */
export function exactly(at: string): string {
  return full.format(new Date(at))
}

/** Returns a share of a total in percent. */
export function share(part: number, total: number): string {
  return total === 0 ? '—' : percent.format(part / total)
}

/** Returns names in a row, with the commas of the language. */
export function listOf(names: Iterable<string>): string {
  return listing.format(names)
}

/** Returns a length of time in its largest units. */
export function span(ms: number): string {
  const seconds = Math.abs(ms) / 1000
  if (seconds < 1) return t.time.milliseconds(number(Math.round(seconds * 1000)))
  if (seconds < 60) return t.time.seconds(number(Math.round(seconds)))
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t.time.minutes(number(minutes))
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return t.time.hours(number(hours), number(minutes % 60))
  return t.time.days(number(Math.round(hours / 24)))
}

/** Returns a text that stands left to right in every language: ids, digits and code. */
export function leftToRight(text: string): string {
  return `\u2066${text}\u2069`
}

/** Returns a phone number for reading. Hidden network ids stay as they are. */
export function phoneText(digits: string): string {
  if (digits.includes('@')) return leftToRight(digits)
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (american) return leftToRight(`+1 ${american[1]} ${american[2]} ${american[3]}`)
  return leftToRight(`+${digits.replace(/^(\d{2})(\d{3,4})(\d+)$/, '$1 $2 $3')}`)
}

/** Returns up to two letters that stand for a contact; the last digits for one without a name. */
export function initials(name: string): string {
  const text = name.replace(/[\u2066\u2069]/g, '').trim()
  if (/^\+|^\d/.test(text)) return text.replace(/\D/g, '').slice(-2)
  const words = text.split(/\s+/)
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  const end = /^\d/.test(last) ? last.slice(-2) : ([...last][0] ?? '')
  return /^\d/.test(last) ? end : `${[...(words[0] ?? '')][0] ?? ''}${end}`.toUpperCase()
}
