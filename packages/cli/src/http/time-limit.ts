/** A signal that aborts after a time, or when another signal aborts. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** Releases the timer and the other signals. Call it when the task has ended. */
  end(): void
}

/**
 * Starts a limit of `ms` milliseconds. The timer references its controller, so that the limit survives garbage
 * collection. `AbortSignal.any` references its sources weakly: a timeout known only to such a signal can be lost.
 */
export function startTimeLimit(ms: number, ...others: readonly AbortSignal[]): TimeLimit {
  const controller = new AbortController()
  const stop = () => {
    end()
    controller.abort(others.find((other) => other.aborted)?.reason)
  }
  const timer = setTimeout(() => {
    end()
    controller.abort(new DOMException('The time limit was exceeded.', 'TimeoutError'))
  }, ms)
  function end(): void {
    clearTimeout(timer)
    for (const other of others) other.removeEventListener('abort', stop)
  }
  if (others.some((other) => other.aborted)) stop()
  else for (const other of others) other.addEventListener('abort', stop)
  return { signal: controller.signal, end }
}
