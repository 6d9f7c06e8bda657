import type { Services } from '../../services.ts'

/** Waits for times of the service's clock, also when that clock is moved meanwhile. */
export interface Alarm {
  /** Resolves true when the service's clock has reached `at`, false when `ended` or the alarm is stopped before. */
  reached(at: Date, ended: AbortSignal): Promise<boolean>
  /** Ends every wait. */
  stop(): void
}

/** Timers count the machine's time; a moved service clock is told by the wake channel `clock`. */
export function startAlarm({ clock, wake }: Pick<Services, 'clock' | 'wake'>): Alarm {
  const looks = new Set<() => void>()
  let stopped = false
  const unsubscribe = wake.on('clock', () => {
    for (const look of looks) look()
  })

  return {
    reached(at, ended) {
      if (!stopped && !ended.aborted && at.getTime() <= clock.now().getTime()) return Promise.resolve(true)
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined
        const look = (): void => {
          clearTimeout(timer)
          const leftMs = at.getTime() - clock.now().getTime()
          const over = stopped || ended.aborted
          if (!over && leftMs > 0) {
            // A clock that another process moved is noticed within a second even when the signal is lost.
            timer = setTimeout(look, Math.min(leftMs, 1000))
            return
          }
          looks.delete(look)
          ended.removeEventListener('abort', look)
          resolve(!over)
        }
        looks.add(look)
        ended.addEventListener('abort', look)
        look()
      })
    },
    stop() {
      stopped = true
      unsubscribe()
      for (const look of looks) look()
    },
  }
}
