import type { Dispatcher } from 'undici'
import { readRanges } from './address.ts'
import { publicAgent } from './agent.ts'
import { PublicFetchError, RefusedAddressError } from './failure.ts'
import { type Lookup, resolveName } from './lookup.ts'
import { judgedUrl } from './redirect.ts'

/** A request with a body to an address that a stranger gave us. */
interface PostRequest {
  readonly url: string
  /** Names and values, alternating. */
  readonly headers: readonly string[]
  readonly body: string
  /** How long the status of the answer may take: lookup, connection, request and all. */
  readonly deadlineMs: number
}

/** The answer to a post. */
interface PostAnswer {
  readonly status: number
  /** The first bytes of the body of a status other than 2xx; empty for a 2xx. */
  readonly excerpt: Uint8Array
}

/**
 * Posts to public addresses only and returns the answer. Throws {@link PublicFetchError}: refused, unreachable or
 * timeout.
 */
export interface PublicPost {
  (request: PostRequest): Promise<PostAnswer>
  /** Ends every connection. */
  close(): Promise<void>
}

const none = new Uint8Array()

interface Target {
  readonly origin: string
  readonly path: string
}

const excerptBytes = 500
const discardedBytes = 16 * 1024
const discardMs = 1000
const rememberedTargets = 1000

/**
 * Opens the way for many small posts, where only the status of the answer counts: redirects are not followed, and the
 * body is forgotten as it comes, except for the beginning of a refusal. It costs half of what a fetch costs.
 * `allowPrivateTargets` names ranges that may be reached although they are private; `lookup` replaces DNS.
 */
export function openPublicPost(allowPrivateTargets: readonly string[], lookup: Lookup = resolveName): PublicPost {
  const agent = publicAgent(readRanges(allowPrivateTargets), lookup)
  const targets = new Map<string, Target>()

  /** What is written in an address is judged once; where its sockets go, at each connection. */
  function targetOf(url: string): Target {
    const known = targets.get(url)
    if (known) return known
    const { origin, pathname, search } = judgedUrl(url, allowPrivateTargets)
    if (targets.size >= rememberedTargets) targets.clear()
    const target = { origin, path: pathname + search }
    targets.set(url, target)
    return target
  }

  async function post({ url, headers, body, deadlineMs }: PostRequest): Promise<PostAnswer> {
    const { origin, path } = targetOf(url)
    const dispatcher = await agent.get()
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(deadlineMs, resolve, reject)
      dispatcher.dispatch({ origin, path, method: 'POST', headers: headers as string[], body }, exchange)
    })
  }
  return Object.assign(post, { close: agent.close })
}

/**
 * One request on its way. It is settled when its connection is free again, so that a bound on exchanges bounds the
 * connections: at the end of the response's body, or when a body that is too long is given up with its connection.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: PostAnswer) => void
  readonly #reject: (error: PublicFetchError) => void
  #controller: Dispatcher.DispatchController | null = null
  #timer: NodeJS.Timeout
  #status: number | null = null
  #bytes = 0
  #excerpt: Uint8Array = none
  #late = false

  constructor(deadlineMs: number, resolve: (answer: PostAnswer) => void, reject: (error: PublicFetchError) => void) {
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(endLate, deadlineMs, this)
  }

  /** The deadline is over, or the time for the rest of the body. What waits for a connection ends before it is sent. */
  endLate(): void {
    this.#late = true
    this.settle()
    this.#controller?.abort(new PublicFetchError('timeout'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#late) controller.abort(new PublicFetchError('timeout'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return
    this.#status = status
    clearTimeout(this.#timer)
    this.#timer = setTimeout(endLate, discardMs, this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#status !== null && this.#status >= 300 && this.#bytes < excerptBytes)
      this.#excerpt = Buffer.concat([this.#excerpt, chunk.subarray(0, excerptBytes - this.#bytes)])
    this.#bytes += chunk.length
    if (this.#bytes > discardedBytes) controller.abort(new PublicFetchError('too_large'))
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    // The connection becomes free in the next run of the event loop; a post before that opens another one.
    queueMicrotask(() => setImmediate(settle, this))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(error)
  }

  settle(cause?: Error): void {
    clearTimeout(this.#timer)
    if (this.#status !== null) this.#resolve({ status: this.#status, excerpt: this.#excerpt })
    else if (this.#late) this.#reject(new PublicFetchError('timeout', { cause }))
    else this.#reject(new PublicFetchError(cause instanceof RefusedAddressError ? 'refused' : 'unreachable', { cause }))
  }
}

function endLate(exchange: Exchange): void {
  exchange.endLate()
}

function settle(exchange: Exchange): void {
  exchange.settle()
}
