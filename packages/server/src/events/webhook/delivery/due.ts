import type { Clock } from '#platform/db/clock.ts'

/** Due times in service time; calls back when the earliest has come. */
export interface Due {
  add(at: Date): void
  stop(): void
}

/**
 * Creates a list of due times. It calls `wake` at the earliest of them, then waits for the next. A moved clock has its
 * own signal, which the caller handles.
 */
export function dueTimes(clock: Pick<Clock, 'now'>, wake: () => void): Due {
  let times: number[] = []
  let timer: NodeJS.Timeout | undefined

  function fire(): void {
    const now = clock.now().getTime()
    times = times.filter((at) => at > now)
    wake()
    schedule()
  }
  function schedule(): void {
    clearTimeout(timer)
    if (times.length === 0) return
    timer = setTimeout(fire, Math.max(1, Math.min(...times) - clock.now().getTime()))
    timer.unref()
  }
  return {
    add(at) {
      // Retries of one moment are due at nearly the same time, and one claim takes all of them.
      const rounded = Math.ceil(at.getTime() / 100) * 100
      if (times.includes(rounded)) return
      times.push(rounded)
      schedule()
    },
    stop() {
      clearTimeout(timer)
      times = []
    },
  }
}
