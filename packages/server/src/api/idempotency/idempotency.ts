import { type Issue, limits, type Route } from '@msgctl/contract'
import type { Caller } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { transactionWithQuota } from '#platform/db/pool-quota.ts'
import { apiError } from '#platform/errors.ts'
import { hashBulkInput, hashInput } from './hash-input.ts'
import {
  findKeptRequest,
  findKeptRequests,
  type KeptRequest,
  type KeyReservation,
  type KeyScope,
  reserveKeys,
  storeResponse,
} from './key-store.ts'

/**
 * The Idempotency-Key of one request, or its absence, as a handler sees it. `transact` and `storeWith` are for routes
 * whose whole effect is rows of the database; `begin` is for those that call the network before they respond. A handler
 * uses one of them, once. Nothing is looked up before: a first request, as nearly every one is, pays nothing. Where a
 * handler does more before it stores than a repeat may do again, it calls `findEarlier` first.
 */
export interface Idempotency<Answer = unknown> {
  readonly key: string | null
  /**
   * The message of the first request with this key, on routes that use `begin`: nothing may be sent any more, and the
   * answer is what became of that message. Null for a first request; `findEarlier` and `begin` may set it.
   */
  readonly earlierMessageId: string | null
  /**
   * Finds an earlier request with the key. Returns its message, or null when there is none. Throws what makes the
   * edge respond as before to a repeat that was answered, or CONFLICT for another body or a request that still runs.
   */
  findEarlier(): Promise<string | null>
  /**
   * Has `store` store rows and the claim of the key in a transaction of its own, for example together with those of
   * other requests. Returns what it returns: false when nothing was stored, then `transact` is to be used.
   */
  storeWith(answer: Answer, store: (claim: KeyReservation | null) => Promise<boolean>): Promise<boolean>
  /**
   * Runs `work` in one transaction with the claim of the key and its stored answer, which is what `work` returns, so
   * that a repeat finds either nothing or the whole of it. Without a key it is only the transaction. What fails is
   * rolled back and stores nothing: the next request with the key runs again. Throws as `findEarlier` for a repeat.
   */
  transact(work: (trx: Db) => Promise<Answer>): Promise<Answer>
  /**
   * Claims the key for the message with this id and stores it by `work`, in one transaction: the network is called
   * afterwards. Returns false when another request with the key was quicker; then `earlierMessageId` names its message
   * and nothing was stored. Throws CONFLICT for another body.
   */
  begin(messageId: string, work: (trx: Db) => Promise<void>): Promise<boolean>
}

/** What is kept with a key from the first moment on: the message that a direct send begins with, or the answer. */
type Kept = { readonly messageId: string } | { readonly answer: unknown }

/** Thrown past the handler: the request was done before, and this was its response. */
export class Replay extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super('the stored response is replayed')
    this.status = status
    this.body = body
  }
}

const form = /^[A-Za-z0-9._:-]{1,255}$/

/** Reads the Idempotency-Key header: returns the key, or the fault to report with the other faults of the input. */
export function readKey(header: string | string[] | undefined): { key: string | null; faults: Issue[] } {
  if (header === undefined) return { key: null, faults: [] }
  if (typeof header === 'string' && form.test(header)) return { key: header, faults: [] }
  const message = `must have 1 to ${limits.idempotencyKey} letters, digits, dots, dashes, colons or underscores`
  return { key: null, faults: [{ field: 'Idempotency-Key', code: 'custom', message }] }
}

/** One request, for its key. */
export interface KeyedCall {
  readonly key: string | null
  readonly caller: Caller | null
  readonly route: Route
  readonly input: { readonly body?: unknown }
  /** Returns the body of the response from what the handler returned. */
  toBody(answer: unknown): unknown
}

/** An {@link Idempotency} for those who call handlers. */
export interface OpenedKey extends Idempotency {
  /** Whether the handler used the key. */
  readonly used: boolean
  /**
   * Call it when the handler refused the request: throws as `findEarlier` for a repeat, which gets the first answer
   * also where it would be refused by now.
   */
  replay(): Promise<void>
}

/**
 * Opens the key of a request. Without a key, or without a caller whose scope it could have, `transact` and `begin` are
 * only transactions.
 */
export async function openKey(db: Db, call: KeyedCall): Promise<OpenedKey> {
  const { key, caller, route } = call
  if (caller === null) return withoutKey((work) => transaction(db, work))
  const { organizationId, credential } = caller
  const transact: Transact = (work) => transactionWithQuota(db, organizationId, work)
  if (key === null) return withoutKey(transact)
  return new KeyedRequest(db, transact, {
    scope: { organizationId, credential, route: route.endpoint, key },
    requestHash: route.bulk ? await hashBulkInput(call.input) : hashInput(call.input),
    status: route.status,
    toBody: call.toBody,
  })
}

/** Runs a transaction within the quota of the organization. */
type Transact = <T>(work: (trx: Db) => Promise<T>) => Promise<T>

/** Returns what a request without a key uses. */
export function withoutKey<Answer>(transact: Transact): Idempotency<Answer> & OpenedKey {
  return {
    key: null,
    earlierMessageId: null,
    used: false,
    findEarlier: async () => null,
    replay: async () => undefined,
    transact,
    storeWith: (_answer, store) => store(null),
    async begin(_messageId, work) {
      await transact(work)
      return true
    },
  }
}

interface Keyed {
  readonly scope: KeyScope
  readonly requestHash: Buffer
  readonly status: number
  toBody(answer: unknown): unknown
}

class KeyedRequest implements OpenedKey {
  readonly key: string
  earlierMessageId: string | null = null
  used = false
  readonly #db: Db
  readonly #transact: Transact
  readonly #keyed: Keyed
  #isLookedUp = false

  constructor(db: Db, transact: Transact, keyed: Keyed) {
    this.key = keyed.scope.key
    this.#db = db
    this.#transact = transact
    this.#keyed = keyed
  }

  async findEarlier(): Promise<string | null> {
    this.#isLookedUp = true
    const kept = await findKeptRequest(this.#db, this.#keyed.scope)
    if (!kept) return null
    this.used = true
    this.earlierMessageId = earlierMessage(kept, this.#keyed.requestHash)
    return this.earlierMessageId
  }

  async replay(): Promise<void> {
    if (!this.used && !this.#isLookedUp) await this.findEarlier()
  }

  async storeWith(answer: unknown, store: (claim: KeyReservation | null) => Promise<boolean>): Promise<boolean> {
    const isStored = await store(claimOf(this.#keyed, { answer }))
    if (isStored) this.#use()
    return isStored
  }

  transact<T>(work: (trx: Db) => Promise<T>): Promise<T> {
    this.#use()
    const keyed = this.#keyed
    return this.#transact(async (trx) => {
      if ((await claim(trx, keyed, null)) !== null) throw stillRunning()
      const answer = await work(trx)
      await storeResponse(trx, keyed.scope, keyed.status, keyed.toBody(answer))
      return answer
    })
  }

  async begin(messageId: string, work: (trx: Db) => Promise<void>): Promise<boolean> {
    this.#use()
    this.earlierMessageId = await this.#transact(async (trx) => {
      const earlier = await claim(trx, this.#keyed, messageId)
      if (earlier === null) await work(trx)
      return earlier
    })
    return this.earlierMessageId === null
  }

  #use(): void {
    if (this.used) throw new Error('a keyed request has one transaction')
    this.used = true
  }
}

/** The claim of a key; nothing is kept with it yet where the answer is not known. */
function claimOf({ scope, requestHash, status, toBody }: Keyed, kept: Kept | null): KeyReservation {
  const isAnswered = kept !== null && 'answer' in kept
  return {
    requestHash,
    messageId: kept !== null && 'messageId' in kept ? kept.messageId : null,
    status: isAnswered ? status : null,
    body: isAnswered ? toBody(kept.answer) : null,
    ...scope,
  }
}

/** Takes the key for this transaction. Returns null, or the message of the request that has the key. */
async function claim(trx: Db, keyed: Keyed, messageId: string | null): Promise<string | null> {
  const [claimed] = await reserveKeys(trx, [claimOf(keyed, messageId === null ? null : { messageId })])
  if (claimed) return null
  const [kept] = await findKeptRequests(trx, [keyed.scope])
  if (!kept) throw stillRunning()
  return earlierMessage(kept, keyed.requestHash)
}

/**
 * Returns the message that an earlier request with the key began with. Throws {@link Replay} for a stored response, or
 * CONFLICT for another body or a request that still runs.
 */
function earlierMessage(kept: KeptRequest, requestHash: Buffer): string {
  if (!kept.requestHash.equals(requestHash)) {
    throw apiError('CONFLICT', 'This Idempotency-Key was used with another request. Use a new key.', {
      reason: 'idempotency_mismatch',
    })
  }
  if (kept.status !== null) throw new Replay(kept.status, kept.body)
  if (kept.messageId === null) throw stillRunning()
  return kept.messageId
}

function stillRunning(): Error {
  return apiError('CONFLICT', 'The first request with this Idempotency-Key is still running. Try again in 1 s.', {
    reason: 'idempotency_in_progress',
    retryAfterSeconds: 1,
  })
}
