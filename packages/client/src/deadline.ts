import type { Abortable, Clock } from './clock.ts'

/** Thrown when a {@link Deadline} ends the wait. */
export class Stopped extends Error {
  readonly reason: 'timeout' | 'abort'

  constructor(reason: 'timeout' | 'abort') {
    super(reason)
    this.reason = reason
  }
}

/**
 * Ends one request at a timeout or at the caller's signal, whichever comes first. The wait ends at once even if the
 * transport ignores its signal.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #clock: Clock
  readonly #caller: Abortable | undefined
  readonly #onAbort = () => this.#stop('abort')
  #cancelTimer: () => void = () => {}
  #complete = false

  constructor(clock: Clock, caller: Abortable | undefined) {
    this.#clock = clock
    this.#caller = caller
    if (caller?.aborted) this.#stop('abort')
    else caller?.addEventListener('abort', this.#onAbort)
  }

  /** The signal for the transport. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Runs `task`. Rejects with {@link Stopped} when it takes longer than `timeoutMs` or the caller aborts. */
  async within<T>(timeoutMs: number, task: () => Promise<T>): Promise<T> {
    const { signal } = this
    if (signal.aborted) throw signal.reason
    this.#cancelTimer = this.#clock.timer(timeoutMs, () => this.#stop('timeout'))
    let onStop = () => {}
    const stopped = new Promise<never>((_, reject) => {
      onStop = () => reject(signal.reason)
      signal.addEventListener('abort', onStop)
    })
    try {
      return await Promise.race([task(), stopped])
    } catch (error) {
      // After an abort, transports reject with their own errors; the reason of the signal is the cause.
      throw signal.aborted ? signal.reason : error
    } finally {
      this.#cancelTimer()
      signal.removeEventListener('abort', onStop)
    }
  }

  /** Marks the response as read to its end, so that {@link end} keeps the connection open. */
  complete(): void {
    this.#complete = true
  }

  /** Releases the caller's signal, and closes the connection if the response was not read to its end. */
  end(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
    if (!this.#complete && !this.signal.aborted) this.#controller.abort()
  }

  #stop(reason: 'timeout' | 'abort'): void {
    this.#controller.abort(new Stopped(reason))
  }
}
