/** A pause that others can end. */
export interface Sleeper {
  /** Waits until the time is over or somebody ends it; a call to `end` before counts too. */
  sleep(ms: number): Promise<void>
  /** Waits whatever happens, except `stop`. */
  pause(ms: number): Promise<void>
  wake(): void
  /** Ends the present pause and all later ones. */
  stop(): void
}

export function createSleeper(): Sleeper {
  let wake: (() => void) | undefined
  let called = false
  let stopped = false
  let deaf = false

  async function pause(ms: number): Promise<void> {
    if (stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wake = undefined
  }

  return {
    async sleep(ms) {
      if (!called) await pause(ms)
      called = false
    },
    async pause(ms) {
      deaf = true
      await pause(ms)
      deaf = false
    },
    wake() {
      called = true
      if (!deaf) wake?.()
    },
    stop() {
      stopped = true
      wake?.()
    },
  }
}
