import type { Services } from '../../services.ts'

/** Waits for times of the service clock, even when that clock is moved. */
export interface ServiceTimer {
  /**
   * Resolves true when the service clock has reached `at`, false when `ended` aborts or the timer is stopped before.
   */
  waitUntil(at: Date, ended: AbortSignal): Promise<boolean>
  /** Ends every wait. */
  stop(): void
}

/** Timers count the time of the machine; the wake channel `clock` reports a moved service clock. */
export function startServiceTimer({ clock, wake }: Pick<Services, 'clock' | 'wake'>): ServiceTimer {
  const checks = new Set<() => void>()
  let stopped = false
  const unsubscribe = wake.on('clock', () => {
    for (const check of checks) check()
  })

  return {
    waitUntil(at, ended) {
      if (!stopped && !ended.aborted && at.getTime() <= clock.now().getTime()) return Promise.resolve(true)
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined
        const check = (): void => {
          clearTimeout(timer)
          const leftMs = at.getTime() - clock.now().getTime()
          const over = stopped || ended.aborted
          if (!over && leftMs > 0) {
            // A clock that another process moved is noticed within a second even when the signal is lost.
            timer = setTimeout(check, Math.min(leftMs, 1000))
            return
          }
          checks.delete(check)
          ended.removeEventListener('abort', check)
          resolve(!over)
        }
        checks.add(check)
        ended.addEventListener('abort', check)
        check()
      })
    },
    stop() {
      stopped = true
      unsubscribe()
      for (const check of checks) check()
    },
  }
}
