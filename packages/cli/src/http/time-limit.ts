/** A signal that aborts when a time is over, or when another signal aborts. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** Releases the timer and the other signals. Call it when the work is over. */
  end(): void
}

/**
 * Starts a limit of `ms` milliseconds. The timer holds its controller, so the limit fires whatever the garbage collector
 * does. `AbortSignal.any` holds its sources weakly: a time-out that only such a signal knows can be lost.
 */
export function startTimeLimit(ms: number, ...others: readonly AbortSignal[]): TimeLimit {
  const controller = new AbortController()
  const stop = () => {
    end()
    controller.abort(others.find((other) => other.aborted)?.reason)
  }
  const timer = setTimeout(() => {
    end()
    controller.abort(new DOMException('The time limit is over.', 'TimeoutError'))
  }, ms)
  function end(): void {
    clearTimeout(timer)
    for (const other of others) other.removeEventListener('abort', stop)
  }
  if (others.some((other) => other.aborted)) stop()
  else for (const other of others) other.addEventListener('abort', stop)
  return { signal: controller.signal, end }
}
