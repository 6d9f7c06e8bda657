/** Sleeps that can be ended early. */
export interface Sleeper {
  /** Waits for `ms`, or until `wake` is called; returns at once when it was called since the last `reset`. */
  sleep(ms: number): Promise<void>
  /** Waits for `ms` whether `wake` is called or not; only `hurry` ends it. */
  pause(ms: number): Promise<void>
  /** Waits for `ms` whatever is called but `stop`. */
  rest(ms: number): Promise<void>
  /** Ends the sleep under way, or the next one. */
  wake(): void
  /** Ends every sleep and pause until the next `reset`. */
  hurry(): void
  /** Drops a wake-up that no sleep has used yet. */
  reset(): void
  /** Ends the present wait and all later ones. */
  stop(): void
}

/** Creates a sleeper. Its timers do not keep the process alive. */
export function createSleeper(): Sleeper {
  let endWait: (() => void) | undefined
  let isWoken = false
  let isStopped = false
  let isHurried = false
  let present: 'sleep' | 'pause' | 'rest' = 'sleep'

  async function wait(kind: typeof present, ms: number): Promise<void> {
    if (isStopped) return
    present = kind
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    endWait = undefined
  }

  return {
    async sleep(ms) {
      if (!isWoken) await wait('sleep', ms)
      isWoken = false
    },
    async pause(ms) {
      if (!isHurried) await wait('pause', ms)
    },
    rest: (ms) => wait('rest', ms),
    wake() {
      isWoken = true
      if (present === 'sleep') endWait?.()
    },
    hurry() {
      isWoken = true
      isHurried = true
      if (present !== 'rest') endWait?.()
    },
    reset() {
      isWoken = false
      isHurried = false
    },
    stop() {
      isStopped = true
      endWait?.()
    },
  }
}
