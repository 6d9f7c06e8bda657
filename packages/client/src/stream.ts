import type { FlatInput } from './address.ts'
import { type Failure, failureFrom, finalFailure } from './attempt.ts'
import { toError } from './call.ts'
import type { MessagingError } from './error.ts'
import { type CallOptions, type Core, type Prepared, prepare } from './prepare.ts'
import { mayRetry, waitMs } from './retry.ts'
import { milliseconds } from './settings.ts'
import { readBlocks, StreamRefused } from './stream/connection.ts'
import { Cursor } from './stream/cursor.ts'
import { type Block, EventTooLarge } from './stream/sse.ts'

/** Three heartbeats of the service, which sends one every 15 s. */
const defaultIdleTimeoutMs = 45_000
/** After a connection of this length the backoff restarts. */
const stableConnectionMs = 10_000
/** The longest wait before a reconnect, whatever the service requests. */
const maxReconnectDelayMs = 300_000
const unlimited = { maxRetries: Number.POSITIVE_INFINITY, maxRetryAfterMs: Number.POSITIVE_INFINITY }
/** An id that is allowed in a header. Any other id is sent in the query only. */
const inHeader = /^[\x21-\x7e]+$/

/** The reason that a connection ended, and the wait before the next one. */
export interface Reconnect {
  readonly error: MessagingError
  readonly waitMs: number
}

/** The options of a stream. Here `timeoutMs` is the timeout until the stream is open. */
export interface StreamOptions extends Omit<CallOptions, 'deadlineMs'> {
  /** A connection without a byte for this long is replaced, in milliseconds (default: 45,000). */
  readonly idleTimeoutMs?: number | undefined
  /** Called before each reconnect, for example to show a status. */
  readonly onReconnect?: ((reconnect: Reconnect) => void) | undefined
}

/** Events as they happen. Leave the loop or abort the signal to close the stream. */
export interface EventStream<T> extends AsyncGenerator<T, void, undefined> {
  /** The position of the last yielded event. Pass it as `after` to continue there later, also in another process. */
  readonly lastEventId: string | undefined
}

/** The end of a connection: the failure, and the reconnect delay that the server requested. */
interface Ended {
  readonly failure: Failure
  readonly retryMs: number | undefined
}

const closedByServer: Failure = {
  failureClass: 'unknown',
  reportedOutcome: undefined,
  fields: { code: 'CONNECTION_FAILED', message: 'The service closed the stream.' },
}

const unreadable = (message: string) => finalFailure({ code: 'INVALID_RESPONSE', message })

class Follower {
  readonly position: Cursor
  readonly #core: Core
  readonly #endpoint: string
  readonly #input: FlatInput
  readonly #options: StreamOptions
  readonly #idleMs: number
  #opened = false
  #retries = 0

  constructor(core: Core, endpoint: string, input: FlatInput, options: StreamOptions) {
    this.#core = core
    this.#endpoint = endpoint
    this.#input = input
    this.#options = options
    this.#idleMs = milliseconds('idleTimeoutMs', options.idleTimeoutMs ?? defaultIdleTimeoutMs)
    this.position = new Cursor(input.after)
    this.#prepare()
  }

  async *run(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      const prepared = this.#prepare()
      const { failure, retryMs } = yield* this.#connection(prepared)
      await this.#waitToReconnect(prepared, failure, retryMs)
    }
  }

  /** Prepares the next request. It sends the position both as query and as header. */
  #prepare(): Prepared {
    const { id } = this.position
    const input = id === undefined ? this.#input : { ...this.#input, after: id }
    const headers = {
      ...this.#options.headers,
      'last-event-id': id !== undefined && inHeader.test(id) ? id : undefined,
    }
    return prepare(this.#core.settings, this.#endpoint, input, { ...this.#options, headers })
  }

  async *#connection(prepared: Prepared): AsyncGenerator<unknown, Ended, undefined> {
    let openedAt = Number.POSITIVE_INFINITY
    const blocks = readBlocks(this.#core, prepared, this.#idleMs, () => {
      this.#opened = true
      openedAt = this.#core.clock.now()
    })
    let retryMs: number | undefined
    try {
      for (;;) {
        const step = await blocks.next().catch((error: unknown) => this.#failure(prepared, error))
        if ('failureClass' in step) return { failure: step, retryMs }
        if (step.done) return { failure: closedByServer, retryMs }
        retryMs = step.value.retryMs ?? retryMs
        yield* this.#eventIn(prepared, step.value)
      }
    } finally {
      if (this.#core.clock.now() - openedAt >= stableConnectionMs) this.#retries = 0
      await blocks.return()
    }
  }

  /** Yields the event of one block, unless it was yielded before. A block without data only moves the position. */
  *#eventIn(prepared: Prepared, block: Block): Generator<unknown, void, undefined> {
    if (block.data === undefined) {
      if (block.id !== undefined) this.position.id = block.id
      return
    }
    const event = this.#parse(prepared, block.data)
    const id = block.id ?? event.id
    this.#retries = 0
    if (typeof id !== 'string' || this.position.advance(id)) yield event
  }

  #parse(prepared: Prepared, data: string): { readonly id?: unknown } {
    try {
      return JSON.parse(data)
    } catch {
      throw toError(prepared, unreadable('An event of the stream is not JSON.'), false)
    }
  }

  #failure(prepared: Prepared, error: unknown): Failure {
    if (error instanceof StreamRefused) return error.failure
    if (error instanceof EventTooLarge) return unreadable(error.message)
    return failureFrom(this.#core, prepared, error, this.#opened ? this.#idleMs : prepared.timeoutMs)
  }

  /**
   * Waits before the next connection, or throws when no retry is allowed. A stream that was open retries without limit.
   */
  async #waitToReconnect(prepared: Prepared, failure: Failure, retryMs: number | undefined): Promise<void> {
    const { clock, settings } = this.#core
    const retryAfterMs = failure.fields.retryAfterMs
    const limits = this.#opened ? unlimited : { ...settings, maxRetries: prepared.maxRetries }
    const error = toError(prepared, failure, false)
    if (!mayRetry({ failureClass: failure.failureClass, kind: 'read', retries: this.#retries, retryAfterMs }, limits))
      throw error
    const requestedMs = Math.min(retryAfterMs ?? Math.min(retryMs ?? 0, settings.maxRetryAfterMs), maxReconnectDelayMs)
    const delayMs = waitMs(this.#retries, clock.random(), requestedMs)
    this.#retries += 1
    this.#options.onReconnect?.({ error, waitMs: delayMs })
    await clock.wait(delayMs, prepared.signal)
  }
}

/**
 * Follows a stream of events across reconnects, without gaps and without repeats. Rejects with a `MessagingError` when
 * the service rejects it permanently, when no connection succeeds, or when the signal aborts.
 */
export function followStream(
  core: Core,
  endpoint: string,
  input: FlatInput,
  options: StreamOptions,
): EventStream<unknown> {
  const follower = new Follower(core, endpoint, input, options)
  return Object.defineProperty(follower.run(), 'lastEventId', {
    get: () => follower.position.id,
  }) as EventStream<unknown>
}
