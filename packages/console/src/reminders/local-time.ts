const minuteMs = 60_000

/** Returns a moment as a `datetime-local` field takes it, in the time of this browser. */
export function toLocalInput(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}
