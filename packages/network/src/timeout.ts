/**
 * Waits for `work`, at most `ms`. Throws what `timeoutError` returns when the time is over; an error that `work` throws
 * later is dropped.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, timeoutError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Created only when it is needed: the stack trace of an error costs more than the rest of this.
    timer = setTimeout(() => reject(timeoutError()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for `work`, at most `ms`; returns whether it ended in time. Rejects when `work` does so in time. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = new Error('The time is over.')
  try {
    await withTimeout(ms, work, () => late)
    return true
  } catch (error) {
    if (error === late) return false
    throw error
  }
}

/** A signal that aborts when a time is over, or when another signal aborts. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** Releases the timer and the other signals. Call it when the work is over. */
  end(): void
}

/**
 * Starts a limit of `ms` milliseconds. The timer holds its controller, so the limit fires whatever the garbage
 * collector does. `AbortSignal.any` holds its sources weakly: a timeout that only such a signal references can be lost.
 */
export function startTimeLimit(ms: number, ...others: readonly (AbortSignal | undefined)[]): TimeLimit {
  const controller = new AbortController()
  const stop = () => {
    end()
    controller.abort(others.find((other) => other?.aborted)?.reason)
  }
  const timer = setTimeout(() => {
    end()
    controller.abort(new DOMException('The time limit is over.', 'TimeoutError'))
  }, ms)
  function end(): void {
    clearTimeout(timer)
    for (const other of others) other?.removeEventListener('abort', stop)
  }
  if (others.some((other) => other?.aborted)) stop()
  else for (const other of others) other?.addEventListener('abort', stop)
  return { signal: controller.signal, end }
}
