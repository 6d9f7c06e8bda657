import type { ServerResponse } from 'node:http'
import { limits } from '@msgctl/contract'
import type { Carrier } from '#api/access/token-store.ts'
import { describeClient } from '#api/activity/describe-client.ts'
import type { AddressedRequest } from '#api/http/client-ip.ts'
import type { Caller, Origin, RawRequest } from '#api/http/handler.ts'
import type { ParsedInput } from '#api/http/parse.ts'
import type { RouteContext } from '#api/http/state.ts'
import type { OpenedKey } from '#api/idempotency/idempotency.ts'

/** The request behind a call, with what few handlers read of it. */
export interface Source {
  readonly origin: Origin
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  readonly lastEventId: string | null
  /** Returns a cookie of the browser. */
  readonly cookie?: (name: string) => string | undefined
}

/** A request over HTTP. What few handlers read is made when it is read. */
export class HttpSource implements Source, Origin {
  readonly requestId: string
  readonly carrier: Carrier
  readonly #clientIp: (request: AddressedRequest) => string
  /** Read at once: that of a closed connection could not be read any more. */
  readonly #remoteAddress: string | undefined
  readonly #ctx: Pick<RouteContext, 'req' | 'res' | 'get' | 'cookies'>
  readonly #draining: AbortSignal | undefined
  #signal: AbortSignal | undefined

  /** With `draining`, the signal also aborts when that one does. */
  constructor(
    ctx: Pick<RouteContext, 'req' | 'res' | 'get' | 'cookies' | 'state'>,
    clientIp: (request: AddressedRequest) => string,
    draining?: AbortSignal,
  ) {
    this.requestId = ctx.state.requestId
    this.carrier = ctx.state.carrier ?? 'bearer'
    this.#clientIp = clientIp
    this.#remoteAddress = ctx.req.socket.remoteAddress
    this.#ctx = ctx
    this.#draining = draining
  }

  get origin(): Origin {
    return this
  }

  get ip(): string {
    return this.#clientIp({ headers: this.#ctx.req.headers, socket: { remoteAddress: this.#remoteAddress } })
  }

  get userAgent(): string | null {
    return describeClient(this.#ctx.req.headers['user-agent'] ?? '')
  }

  get signal(): AbortSignal {
    this.#signal ??= leaving(this.#ctx.res, this.#draining)
    return this.#signal
  }

  get lastEventId(): string | null {
    const header = this.#ctx.get('Last-Event-ID').slice(0, limits.cursor)
    return header === '' ? null : header
  }

  get cookie(): (name: string) => string | undefined {
    return (name) => this.#ctx.cookies.get(name)
  }
}

/** One call of a route after its checks: what its handler is given, whose type is `Request` of the route. */
export class Call {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly file: Buffer | undefined
  readonly raw: RawRequest | undefined
  readonly caller: Caller | null
  readonly idempotency: OpenedKey
  readonly #source: Source

  constructor(source: Source, caller: Caller | null, input: ParsedInput, idempotency: OpenedKey) {
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.file = input.file
    this.raw = input.raw
    this.caller = caller
    this.idempotency = idempotency
    this.#source = source
  }

  get origin() {
    return this.#source.origin
  }

  get requestId() {
    return this.#source.origin.requestId
  }

  get ip() {
    return this.#source.origin.ip
  }

  get lastEventId() {
    return this.#source.lastEventId
  }

  get cookie() {
    return this.#source.cookie
  }

  get signal() {
    return this.#source.signal
  }
}

/** Aborts when the caller left before the whole answer was out, or when `also` does. */
function leaving(res: ServerResponse, also: AbortSignal | undefined): AbortSignal {
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
