/** The part of an AbortSignal that the client uses. */
export interface Abortable {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The time and randomness of the client. Tests pass their own, so that no test waits. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** At least 0, below 1. */
  random(): number
  /** Runs `fire` after `ms` milliseconds, unless the returned function is called first. Used for timeouts. */
  timer(ms: number, fire: () => void): () => void
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts. Used between attempts. */
  wait(ms: number, signal: Abortable | undefined): Promise<void>
}

function timer(ms: number, fire: () => void): () => void {
  const handle = setTimeout(fire, ms)
  return () => clearTimeout(handle)
}

function wait(ms: number, signal: Abortable | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timer(ms, end)
    signal?.addEventListener('abort', end)
  })
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now(), random: () => Math.random(), timer, wait }
