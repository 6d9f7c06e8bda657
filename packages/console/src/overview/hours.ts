import type { Part } from '../ui/bar.tsx'
import type { Column } from '../ui/bars.tsx'
import { time } from '../words/format.ts'

const hourMs = 3_600_000
const hoursShown = 24

/** The messages of one type that were accepted in one hour. */
export interface HourCounts {
  readonly hour: string
  readonly queued: number
  readonly sending: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
}

/** Returns one column for each of the last 24 hours, the current one last. Types are added up. */
export function dayColumns(hours: readonly HourCounts[], now: number): Column[] {
  const thisHour = Math.floor(now / hourMs) * hourMs
  return Array.from({ length: hoursShown }, (_, index) => {
    const at = thisHour - (hoursShown - 1 - index) * hourMs
    const found = hours.filter(({ hour }) => Date.parse(hour) === at)
    const sum = (name: Exclude<keyof HourCounts, 'hour'>) => found.reduce((total, each) => total + each[name], 0)
    return {
      key: String(at),
      label: time(at),
      parts: [
        ['read', sum('read')],
        ['delivered', sum('delivered')],
        ['sent', sum('sent')],
        ['queued', sum('queued') + sum('sending')],
        ['failed', sum('failed')],
      ],
    }
  })
}

/** Returns the parts of all columns added up. */
export function sumOfColumns(columns: readonly Column[]): Part[] {
  const names = columns[0]?.parts.map(([name]) => name) ?? []
  return names.map((name, index) => [name, columns.reduce((sum, { parts }) => sum + (parts[index]?.[1] ?? 0), 0)])
}
