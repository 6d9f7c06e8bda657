import type { BotHours } from '@msgctl/contract'

/** A moment as people in a time zone see it. */
interface TimeInZone {
  /** Like 2026-12-25. */
  readonly date: string
  /** 1 for Monday to 7 for Sunday. */
  readonly day: number
  /** Like 09:05. */
  readonly time: string
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function timeInZone(at: Date, timeZone: string): TimeInZone {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    day: days.indexOf(part('weekday')) + 1,
    time: `${part('hour')}:${part('minute')}`,
  }
}

/** Returns whether people are there at a time; null hours are always open. */
export function isOpen(hours: BotHours, at: Date): boolean {
  if (hours === null) return true
  const { date, day, time } = timeInZone(at, hours.timeZone)
  if (hours.closed.includes(date)) return false
  return hours.week.some((period) => period.day === day && period.from <= time && time < period.to)
}
