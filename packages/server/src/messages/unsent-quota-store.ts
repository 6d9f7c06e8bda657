import { type Db, rows } from '../db/db.ts'

/** Serializes the requests that store unsent rows of one organization, until the transaction ends. */
export async function lockUnsent(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, `select pg_advisory_xact_lock(hashtextextended('unsent ' || :organizationId::text, 0))`, {
    organizationId,
  })
}
