/** How long a period is. */
export type Interval = 'month' | 'year'

/**
 * Returns the end of the period that begins at or after `after`, counted from the anchor: a month after 31 January is
 * the last day of February, two are 31 March.
 */
export function periodEnd(anchor: number, interval: Interval, after: number): number {
  for (let count = 1; ; count++) {
    const end = later(anchor, interval === 'year' ? count * 12 : count)
    if (end > after) return end
  }
}

function later(anchor: number, months: number): number {
  const from = new Date(anchor * 1000)
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const seconds = anchor - Math.floor(anchor / 86_400) * 86_400
  const day = Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay))
  return day / 1000 + seconds
}

/** Returns a day as the lines of invoices write it, such as `30 Nov 2026`. */
export function dayText(seconds: number): string {
  const words = new Date(seconds * 1000).toUTCString().split(' ')
  return words.slice(1, 4).join(' ')
}
