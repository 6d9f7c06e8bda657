import { type Issue, limits, type Route } from '@msgctl/contract'
import type { KeptRequest } from '#api/access/kept-request-store.ts'
import type { Caller } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { transactionWithQuota } from '#platform/db/pool-quota.ts'
import { apiError } from '#platform/errors.ts'
import { hashBulkInput, hashInput } from './hash-input.ts'
import {
  findKeptRequest,
  findKeptRequests,
  type KeyReservation,
  type KeyScope,
  reserveKeys,
  storeResponse,
} from './key-store.ts'

/** How a request stores its rows: in a batch with concurrent requests where it may, else alone. */
interface StoreModes<Answer> {
  /**
   * Stores the rows and the claim together with other requests, in one transaction; `claimFor` makes the claim of the
   * key for an answer. Returns undefined when nothing was stored, because the key is not free or for a reason of its
   * own; then `alone` runs. Left out where something must be counted for this request alone.
   */
  readonly batch?: ((claimFor: (answer: Answer) => KeyReservation | null) => Promise<Answer | undefined>) | undefined
  /** Stores the rows in an open transaction of this request's own, which has claimed the key. */
  alone(trx: Db): Promise<Answer>
}

/**
 * The same for a message that is stored before the network is called; `batch` returns false when nothing was stored.
 */
interface MessageStoreModes {
  readonly batch?: ((claim: KeyReservation | null) => Promise<boolean>) | undefined
  alone(trx: Db): Promise<void>
}

/**
 * The Idempotency-Key of one request, or its absence, as a handler sees it. `store` and `transact` are for routes whose
 * whole effect is rows of the database; `begin` is for those that call the network before they respond. A handler uses
 * one of them, once.
 */
export interface Idempotency<Answer = unknown> {
  readonly key: string | null
  /**
   * The message of the first request with this key, on routes that use `begin`: nothing may be sent any more, and the
   * answer is what became of that message. Null for a first request; `begin` may set it.
   */
  readonly earlierMessageId: string | null
  /**
   * Stores rows together with the key and the answer, which is what either way returns. A repeat never reaches `alone`:
   * this throws as `transact` does.
   */
  store(modes: StoreModes<Answer>): Promise<Answer>
  /**
   * Runs `work` in one transaction with the claim of the key and its stored answer, which is what `work` returns, so
   * that a repeat finds either nothing or the whole of it. Without a key it is only the transaction. What fails is
   * rolled back and stores nothing: the next request with the key runs again. Throws what makes the edge respond as
   * before to a repeat, or CONFLICT for another body or a request that still runs.
   */
  transact(work: (trx: Db) => Promise<Answer>): Promise<Answer>
  /**
   * Stores the message with this id and the claim of the key, and commits both: the network is called afterwards.
   * Returns false when another request with the key was quicker; then `earlierMessageId` names its message and nothing
   * was stored. Throws CONFLICT for another body.
   */
  begin(messageId: string, modes: MessageStoreModes): Promise<boolean>
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
  /** What is kept of the key; undefined where it was not looked up. */
  readonly kept?: KeptRequest | null | undefined
  /** Returns the body of the response from what the handler returned. */
  toBody(answer: unknown): unknown
}

/** An {@link Idempotency} that also knows whether the handler used it. */
export type OpenedKey = Idempotency & { readonly used: boolean }

/**
 * Finds an earlier request with the key before the handler runs. Throws {@link Replay} when it is done, or CONFLICT; a
 * repeat of a request that began with a message is left to the handler. Without a key, or without a caller whose scope
 * it could have, `transact` and `begin` are only transactions.
 */
export async function openKey(db: Db, call: KeyedCall): Promise<OpenedKey> {
  const { key, caller, route } = call
  if (caller === null) return withoutKey((work) => transaction(db, work))
  const { organizationId, credential } = caller
  const transact: Transact = (work) => transactionWithQuota(db, organizationId, work)
  if (key === null) return withoutKey(transact)
  const keyed = {
    scope: { organizationId, credential, route: route.endpoint, key },
    requestHash: route.bulk ? await hashBulkInput(call.input) : hashInput(call.input),
    status: route.status,
    toBody: call.toBody,
  }
  const kept = call.kept === undefined ? await findKeptRequest(db, keyed.scope) : call.kept
  return keyedTransaction(transact, keyed, kept ? earlierMessage(kept, keyed.requestHash) : null)
}

/** Runs a transaction within the quota of the organization. */
type Transact = <T>(work: (trx: Db) => Promise<T>) => Promise<T>

function withoutKey(transact: Transact): OpenedKey {
  return {
    key: null,
    earlierMessageId: null,
    used: false,
    transact,
    async store({ batch, alone }) {
      const stored = await batch?.(() => null)
      return stored === undefined ? transact(alone) : stored
    },
    async begin(_messageId, { batch, alone }) {
      if (!(await batch?.(null))) await transact(alone)
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

function keyedTransaction(transact: Transact, keyed: Keyed, earlier: string | null): OpenedKey {
  let earlierMessageId = earlier
  let used = earlier !== null
  function useOnce(): void {
    if (used) throw new Error('a keyed request has one transaction')
    used = true
  }
  function transactOnce<T>(work: (trx: Db) => Promise<T>): Promise<T> {
    useOnce()
    return transact((trx) => claimAndWork(trx, keyed, work))
  }
  return {
    key: keyed.scope.key,
    get earlierMessageId() {
      return earlierMessageId
    },
    get used() {
      return used
    },
    transact: transactOnce,
    async store({ batch, alone }) {
      const stored = await batch?.((answer) => claimOf(keyed, { answer }))
      if (stored === undefined) return transactOnce(alone)
      useOnce()
      return stored
    },
    async begin(messageId, { batch, alone }) {
      const stored = await batch?.(claimOf(keyed, { messageId }))
      useOnce()
      if (stored) return true
      earlierMessageId = await transact((trx) => claimAndBegin(trx, keyed, messageId, alone))
      return earlierMessageId === null
    },
  }
}

/** The claim of a key; nothing is kept with it yet where the answer is not known. */
function claimOf({ scope, requestHash, status, toBody }: Keyed, kept: Kept | null): KeyReservation {
  const { organizationId, credential, route, key } = scope
  const isAnswered = kept !== null && 'answer' in kept
  // No spread, because every keyed send runs this: a literal that begins with one takes V8 many times as long.
  return {
    organizationId,
    credential,
    route,
    key,
    requestHash,
    messageId: kept !== null && 'messageId' in kept ? kept.messageId : null,
    status: isAnswered ? status : null,
    body: isAnswered ? toBody(kept.answer) : null,
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

async function claimAndBegin(
  trx: Db,
  keyed: Keyed,
  messageId: string,
  work: (trx: Db) => Promise<void>,
): Promise<string | null> {
  const earlier = await claim(trx, keyed, messageId)
  if (earlier === null) await work(trx)
  return earlier
}

async function claimAndWork<T>(trx: Db, keyed: Keyed, work: (trx: Db) => Promise<T>): Promise<T> {
  if ((await claim(trx, keyed, null)) !== null) throw stillRunning()
  const answer = await work(trx)
  await storeResponse(trx, keyed.scope, keyed.status, keyed.toBody(answer))
  return answer
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
