import { type Db, rows } from '../db/db.ts'

/** The own stop words of organizations, by organization; one that has none may be missing. */
export async function listOptOutKeywords(
  db: Db,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await rows<{ organizationId: string; words: string[] }>(
    db,
    `select organization_id as "organizationId", keywords as words from opt_out_keywords where organization_id = any(:organizationIds::uuid[])`,
    { organizationIds },
  )
  return new Map(found.map(({ organizationId, words }) => [organizationId, words]))
}

/** Replaces the own stop words of an organization. */
export async function writeOptOutKeywords(trx: Db, organizationId: string, words: readonly string[]): Promise<void> {
  await rows(
    trx,
    `insert into opt_out_keywords (organization_id, keywords) values (:organizationId, :words::text[])
     on conflict (organization_id) do update set keywords = excluded.keywords`,
    { organizationId, words },
  )
}
