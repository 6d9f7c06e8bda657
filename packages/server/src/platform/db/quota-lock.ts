import { type Db, rows } from './db.ts'

/** Serializes the requests of one organization that are counted against a quota, until the transaction ends. */
export async function lockQuota(trx: Db, name: 'unsent' | 'opted out', organizationId: string): Promise<void> {
  await rows(trx, `select pg_advisory_xact_lock(hashtextextended(:name || ' ' || :organizationId::text, 0))`, {
    name,
    organizationId,
  })
}
