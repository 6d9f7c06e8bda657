import { allowPurge } from '#api/activity/erase-store.ts'
import { type Db, rows, transaction } from '#platform/db/db.ts'
import type { Step } from './plan.ts'

/** Deletes up to `limit` rows of an organization by one step of the plan. Returns how many there were. */
export async function eraseSome(db: Db, organizationId: string, { table, by }: Step, limit: number): Promise<number> {
  const chosen =
    by === 'organization'
      ? 'organization_id = :organizationId'
      : ':column: in (select :parentColumn: from :parent: where organization_id = :organizationId)'
  return transaction(db, async (trx) => {
    await allowPurge(trx)
    const [erased] = await rows<{ count: number }>(
      trx,
      `with erased as (
         delete from :table: where ctid = any(array(select ctid from :table: where ${chosen} limit :limit)) returning 1
       ) select count(*) as count from erased`,
      { table, organizationId, limit, ...(by === 'organization' ? {} : by) },
    )
    return erased?.count ?? 0
  })
}

/** Returns the tables that still hold rows of an organization, all read at one moment. */
export async function listNotEmpty(db: Db, organizationId: string, tables: readonly string[]): Promise<string[]> {
  const reads = tables.map(
    (_table, n) =>
      `select :t${n}::text as table where exists (select from :t${n}: where organization_id = :organizationId)`,
  )
  const names = Object.fromEntries(tables.map((table, n) => [`t${n}`, table]))
  const found = await rows<{ table: string }>(db, reads.join(' union all '), { ...names, organizationId })
  return found.map(({ table }) => table)
}
