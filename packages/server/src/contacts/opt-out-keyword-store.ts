import { type Db, rows } from '../db/db.ts'

/** Returns the opt-out keywords of organizations, by organization. Organizations without any may be missing. */
export async function listOptOutKeywords(
  db: Db,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await db('opt_out_keywords')
    .whereIn('organization_id', organizationIds)
    .select('organization_id', 'keywords')
  return new Map(found.map(({ organization_id, keywords }) => [organization_id, keywords]))
}

/** Replaces the opt-out keywords of an organization. */
export async function writeOptOutKeywords(trx: Db, organizationId: string, words: readonly string[]): Promise<void> {
  await rows(
    trx,
    `insert into opt_out_keywords (organization_id, keywords) values (:organizationId, :words::text[])
     on conflict (organization_id) do update set keywords = excluded.keywords`,
    { organizationId, words },
  )
}
