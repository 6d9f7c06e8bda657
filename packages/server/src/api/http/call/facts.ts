import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@msgctl/contract'
import type { Carrier } from '#api/access/token-store.ts'
import { describeClient } from '#api/activity/describe-client.ts'
import type { Caller, Origin } from '#api/http/handler.ts'
import type { ParsedInput } from '#api/http/parse.ts'
import type { RouteContext } from '#api/http/state.ts'
import type { Call, CallFacts } from './callee.ts'

/** What shows where a request comes from. */
interface OriginSource {
  readonly req: IncomingMessage
  readonly requestId: string
  readonly clientIp: (request: IncomingMessage) => string
  /** Default: bearer. */
  readonly carrier?: Carrier | undefined
}

/**
 * Returns where a request comes from. Its headers are read when someone asks: most requests are never logged as an
 * activity.
 */
export function originOf(source: OriginSource): Origin {
  return new LazyOrigin(source)
}

class LazyOrigin implements Origin {
  readonly #source: OriginSource
  #ip: string | undefined
  #userAgent: string | null | undefined

  constructor(source: OriginSource) {
    this.#source = source
    // Node reads the address of an open connection once and keeps it; of a closed one it could not be read any more.
    source.req.socket.remoteAddress
  }

  get requestId(): string {
    return this.#source.requestId
  }

  get carrier(): Carrier {
    return this.#source.carrier ?? 'bearer'
  }

  get ip(): string {
    this.#ip ??= this.#source.clientIp(this.#source.req)
    return this.#ip
  }

  get userAgent(): string | null {
    if (this.#userAgent === undefined) this.#userAgent = describeClient(this.#source.req.headers['user-agent'] ?? '')
    return this.#userAgent
  }
}

/** The facts of a request over HTTP. */
export class HttpFacts implements CallFacts {
  readonly origin: Origin
  readonly #ctx: RouteContext

  constructor(ctx: RouteContext, origin: Origin) {
    this.#ctx = ctx
    this.origin = origin
  }

  get requestId(): string {
    return this.origin.requestId
  }

  get lastEventId(): string | null {
    const header = this.#ctx.get('Last-Event-ID').slice(0, limits.cursor)
    return header === '' ? null : header
  }

  get cookie(): (name: string) => string | undefined {
    return (name) => this.#ctx.cookies.get(name)
  }
}

/** A call of a route over HTTP. Its signal is made when it is read: most sends never need one. */
export class HttpCall implements Omit<Call, 'key'> {
  readonly caller: Caller | null
  readonly input: ParsedInput
  readonly facts: CallFacts
  readonly #res: ServerResponse
  readonly #draining: AbortSignal | undefined
  #signal: AbortSignal | undefined

  /** With `draining`, the signal also aborts when that one does. */
  constructor(
    { caller, input, facts }: Pick<Call, 'caller' | 'input' | 'facts'>,
    res: ServerResponse,
    draining: AbortSignal | undefined,
  ) {
    this.caller = caller
    this.input = input
    this.facts = facts
    this.#res = res
    this.#draining = draining
  }

  get signal(): AbortSignal {
    this.#signal ??= leaving(this.#res, this.#draining)
    return this.#signal
  }
}

/** Aborts when the caller left before the whole answer was out, or when `also` does. */
export function leaving(res: ServerResponse, also: AbortSignal | undefined): AbortSignal {
  const left = new AbortController()
  const stop = () => left.abort()
  if (also?.aborted || hasLeft(res)) stop()
  also?.addEventListener('abort', stop)
  res.once('close', () => {
    also?.removeEventListener('abort', stop)
    if (hasLeft(res)) stop()
  })
  return left.signal
}

function hasLeft(res: ServerResponse): boolean {
  return res.closed && !res.writableFinished
}
