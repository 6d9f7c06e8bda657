import type { Caller } from '#api/http/handler.ts'
import type { OpenedKey } from '#api/idempotency/idempotency.ts'
import type { Call } from './callee.ts'

/**
 * What a handler is given; its type is `Request` of its route. What few handlers use is made when it is read: every
 * send would pay for it.
 */
export class HandledRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The bytes of an upload. */
  readonly file: Buffer | undefined
  readonly caller: Caller | null
  readonly idempotency: OpenedKey
  readonly #call: Omit<Call, 'key'>

  constructor(call: Omit<Call, 'key'>, idempotency: OpenedKey) {
    const { input } = call
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.file = input.file
    this.caller = call.caller
    this.idempotency = idempotency
    this.#call = call
  }

  get requestId() {
    return this.#call.facts.requestId
  }

  get origin() {
    return this.#call.facts.origin
  }

  get ip() {
    return this.#call.facts.origin.ip
  }

  get lastEventId() {
    return this.#call.facts.lastEventId
  }

  get cookie() {
    return this.#call.facts.cookie
  }

  get signal() {
    return this.#call.signal
  }
}
