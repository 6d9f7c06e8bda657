/** Keeps the texts of one number apart at the moment they really leave this process. */
export interface MinInterval {
  /** When a text of the number may leave that would leave `now`; the turn is taken with the answer. */
  reserve(containerId: string, now: Date): Date
}

const maxRemembered = 10_000

/**
 * Plans hold texts apart by their times; a process that stood still for a moment, or a timer that was late, would still
 * let several go at once. `spacingMs` is the time between two texts of a number, 0 for none.
 */
export function minInterval(spacingMs: number): MinInterval {
  const freeAt = new Map<string, number>()

  function evictPast(nowMs: number): void {
    for (const [containerId, atMs] of freeAt) if (atMs <= nowMs) freeAt.delete(containerId)
  }
  return {
    reserve(containerId, now) {
      if (spacingMs === 0) return now
      if (freeAt.size > maxRemembered) evictPast(now.getTime())
      const atMs = Math.max(now.getTime(), freeAt.get(containerId) ?? 0)
      freeAt.set(containerId, atMs + spacingMs)
      return new Date(atMs)
    },
  }
}
