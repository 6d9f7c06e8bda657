import type { Clock } from '../../db/clock.ts'

/** Remembers when something is due, by the service's clock, and calls when the first of it is. */
export interface Due {
  add(at: Date): void
  stop(): void
}

/**
 * Calls `wake` once the earliest time that was added has come, and then looks for the next one. A clock that is moved
 * meanwhile tells whoever follows it by its own signal.
 */
export function dueTimes(clock: Pick<Clock, 'now'>, wake: () => void): Due {
  let times: number[] = []
  let timer: NodeJS.Timeout | undefined

  function ring(): void {
    const now = clock.now().getTime()
    times = times.filter((at) => at > now)
    wake()
    set()
  }
  function set(): void {
    clearTimeout(timer)
    if (times.length === 0) return
    timer = setTimeout(ring, Math.max(1, Math.min(...times) - clock.now().getTime()))
    timer.unref()
  }
  return {
    add(at) {
      // Retries of one moment are due at nearly the same time, and a look takes all that are.
      const rounded = Math.ceil(at.getTime() / 100) * 100
      if (times.includes(rounded)) return
      times.push(rounded)
      set()
    },
    stop() {
      clearTimeout(timer)
      times = []
    },
  }
}
