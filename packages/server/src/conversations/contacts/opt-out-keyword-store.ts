import type { Db } from '#platform/db/db.ts'

/** Returns the opt-out keywords of organizations, by organization. Organizations without any may be missing. */
export async function listOptOutKeywords(
  db: Db,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await db('opt_out_keywords')
    .whereIn('organizationId', organizationIds)
    .select('organizationId', 'keywords')
  return new Map(found.map(({ organizationId, keywords }) => [organizationId, keywords]))
}

/** Replaces the opt-out keywords of an organization. */
export async function writeOptOutKeywords(trx: Db, organizationId: string, words: readonly string[]): Promise<void> {
  await trx('opt_out_keywords')
    .insert({ organizationId, keywords: [...words] })
    .onConflict('organizationId')
    .merge()
}
