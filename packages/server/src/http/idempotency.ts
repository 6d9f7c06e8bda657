import { createHash } from 'node:crypto'
import { type Issue, limits, type Route } from '@msgctl/contract'
import { type Db, transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Caller } from './handler.ts'
import { claimKey, findKeptRequest, type KeptRequest, type KeyScope, keepAnswer } from './store.ts'

/**
 * The Idempotency-Key of one request, or its absence, as a handler sees it.
 *
 * `transact` is for routes whose whole effect is rows of the database. A route that calls the network before it answers
 * has to commit its claim together with its `sending` message (`idempotency_keys.message_id`) before that call, and a
 * repeat is answered from that message; a claim that is committed without an answer reads as still running.
 */
export interface Idempotency<Answer = unknown> {
  readonly key: string | null
  /**
   * Runs `work` in one transaction with the claim of the key and its stored answer, which is what `work` returns, so that
   * a repeat finds either nothing or the whole of it. Without a key it is only the transaction. What fails is rolled back
   * and stores nothing: the next request with the key runs again. A repeat never reaches `work`: this throws what makes
   * the edge answer as before, or CONFLICT for another body or a running twin. At most once in a request.
   */
  transact(work: (trx: Db) => Promise<Answer>): Promise<Answer>
}

/** Thrown past the handler: the request was done before, and this was its answer. */
export class Replay extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super('the stored answer is replayed')
    this.status = status
    this.body = body
  }
}

const form = /^[A-Za-z0-9._:-]{1,255}$/

/** Reads the Idempotency-Key header: the key, or the fault to tell with the other faults of the input. */
export function readKey(header: string | string[] | undefined): { key: string | null; faults: Issue[] } {
  if (header === undefined) return { key: null, faults: [] }
  if (typeof header === 'string' && form.test(header)) return { key: header, faults: [] }
  const message = `must have 1 to ${limits.idempotencyKey} letters, digits, dots, dashes, colons or underscores`
  return { key: null, faults: [{ field: 'Idempotency-Key', code: 'custom', message }] }
}

/** One request as its key is told apart. */
export interface KeyedCall {
  readonly key: string | null
  readonly caller: Caller | null
  readonly route: Route
  readonly input: unknown
  /** The body as it will be answered, from what the handler's work returned. */
  toBody(answer: unknown): unknown
}

/** An {@link Idempotency} that also tells whether the handler made its transaction. */
export type OpenedKey = Idempotency & { readonly used: boolean }

/**
 * Looks up a request before its handler runs. Throws {@link Replay} when it was done before, or CONFLICT. Without a key,
 * or without a caller whose scope it could have, `transact` is only a transaction.
 */
export async function openKey(db: Db, call: KeyedCall): Promise<OpenedKey> {
  const { key, caller, route } = call
  if (key === null || caller === null) return { key: null, used: false, transact: (work) => transaction(db, work) }
  const { organizationId, credential } = caller
  const keyed = {
    scope: { organizationId, credential, route: route.endpoint, key },
    requestHash: hashInput(call.input),
    status: route.status,
    toBody: call.toBody,
  }
  const kept = await findKeptRequest(db, keyed.scope)
  if (kept) throw repeated(kept, keyed.requestHash)
  return keyedTransaction(db, keyed)
}

interface Keyed {
  readonly scope: KeyScope
  readonly requestHash: Buffer
  readonly status: number
  toBody(answer: unknown): unknown
}

function keyedTransaction(db: Db, keyed: Keyed): OpenedKey {
  let used = false
  return {
    key: keyed.scope.key,
    get used() {
      return used
    },
    transact(work) {
      if (used) throw new Error('a keyed request has one transaction')
      used = true
      return transaction(db, (trx) => claimAndWork(trx, keyed, work))
    },
  }
}

async function claimAndWork<T>(trx: Db, keyed: Keyed, work: (trx: Db) => Promise<T>): Promise<T> {
  if (!(await claimKey(trx, keyed.scope, keyed.requestHash))) {
    const kept = await findKeptRequest(trx, keyed.scope)
    throw kept ? repeated(kept, keyed.requestHash) : stillRunning()
  }
  const answer = await work(trx)
  await keepAnswer(trx, keyed.scope, keyed.status, keyed.toBody(answer))
  return answer
}

function repeated(kept: KeptRequest, requestHash: Buffer): Error {
  if (!kept.requestHash.equals(requestHash)) {
    return apiError('CONFLICT', 'This Idempotency-Key was used with another request. Use a new key.', {
      reason: 'idempotency_mismatch',
    })
  }
  return kept.status === null ? stillRunning() : new Replay(kept.status, kept.body)
}

function stillRunning(): Error {
  return apiError('CONFLICT', 'The first request with this Idempotency-Key is still running. Try again in 1 s.', {
    reason: 'idempotency_in_progress',
    retryAfterSeconds: 1,
  })
}

/** SHA-256 over an input, whatever the order of its fields. */
export function hashInput(input: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(input, sortedFields)).digest()
}

function sortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
