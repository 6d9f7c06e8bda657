import type { Abortable, Clock } from './clock.ts'

/** Why a {@link Deadline} gave up waiting. */
export class Stopped extends Error {
  readonly reason: 'timeout' | 'abort'

  constructor(reason: 'timeout' | 'abort') {
    super(reason)
    this.reason = reason
  }
}

/**
 * Watches over one request: a time-out and the caller's signal end it, whichever comes first. Waiting ends at once even
 * when the transport does not listen to the signal it was given.
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

  /** For the transport. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The promise, or a rejection with {@link Stopped} when it takes longer than `timeoutMs` or the caller aborts. */
  async within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const { signal } = this
    if (signal.aborted) throw signal.reason
    this.#cancelTimer = this.#clock.timer(timeoutMs, () => this.#stop('timeout'))
    let onStop = () => {}
    const stopped = new Promise<never>((_, reject) => {
      onStop = () => reject(signal.reason)
      signal.addEventListener('abort', onStop)
    })
    try {
      return await Promise.race([work(), stopped])
    } catch (error) {
      // A transport rejects with an error of its own when its signal aborts; the reason is what counts.
      throw signal.aborted ? signal.reason : error
    } finally {
      this.#cancelTimer()
      signal.removeEventListener('abort', onStop)
    }
  }

  /** The answer has been read to its end, so {@link end} leaves the connection open for the next request. */
  complete(): void {
    this.#complete = true
  }

  /** Lets go of the caller's signal, and closes a connection whose answer has not been read to its end. */
  end(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
    if (!this.#complete && !this.signal.aborted) this.#controller.abort()
  }

  #stop(reason: 'timeout' | 'abort'): void {
    this.#controller.abort(new Stopped(reason))
  }
}
