import type { Db } from '../db/db.ts'

/** The Idempotency-Key of one request, or its absence, as a handler sees it. */
export interface Idempotency {
  readonly key: string | null
  /**
   * Runs `work` in one transaction with the claim of the key and the stored answer, so that a repeat finds either
   * nothing or the whole of it. Without a key it is only the transaction. A repeat never reaches `work`: the stored
   * answer is replayed, another body or a running twin throws CONFLICT.
   */
  transact<T>(work: (trx: Db) => Promise<T>): Promise<T>
}
