const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How often an assistant may speak to one contact, so that two machines cannot talk for ever. */
const bounds = {
  answers: { perMinute: 6, perHour: 20 },
  orderSteps: { perMinute: 30, perHour: 120 },
} as const

/** Returns the times of the last hour, in milliseconds. */
function lastHour(times: readonly number[], nowMs: number): number[] {
  return times.filter((at) => at > nowMs - hourMs && at <= nowMs)
}

/** Returns the times with `nowMs` added, or null when the bound is reached. */
export function countSpoken(times: readonly number[], nowMs: number, what: keyof typeof bounds): number[] | null {
  const { perMinute, perHour } = bounds[what]
  const recent = lastHour(times, nowMs)
  const inMinute = recent.filter((at) => at > nowMs - minuteMs).length
  return inMinute >= perMinute || recent.length >= perHour ? null : [...recent, nowMs]
}
