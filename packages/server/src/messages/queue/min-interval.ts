/** Keeps the interval between the texts of one number at the moment they leave this process. */
export interface MinInterval {
  /** Reserves a slot for a text that could leave at `now`, and returns its time. */
  reserve(containerId: string, now: Date): Date
}

const maxRemembered = 10_000

/**
 * Plans space texts by their times. A process that stood still for a moment, or a late timer, would still send several
 * at once. `spacingMs` is the time between two texts of a number, 0 for none.
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
