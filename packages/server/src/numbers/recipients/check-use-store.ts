import { type Db, rows } from '#platform/db/db.ts'

/** How much of the checks of one number is used, in milliseconds of the minute and of the day. */
export interface BudgetUse {
  readonly containerId: string
  readonly isSimulated: boolean
  readonly usedMs: number
  readonly dayUsedMs: number
}

/** Returns the use of each number of an organization, the oldest number first. */
export async function listBudgetUse(db: Db, organizationId: string): Promise<BudgetUse[]> {
  return rows<BudgetUse>(
    db,
    `select n.id as container_id, n.gateway = 'simulator' as is_simulated,
            coalesce(extract(epoch from greatest(b.tat, now) - now) * 1000, 0)::float8 as used_ms,
            coalesce(extract(epoch from greatest(b.day_tat, now) - now) * 1000, 0)::float8 as day_used_ms
       from (select service_now() as now) clock, numbers n
       left join recipient_check_budgets b on b.container_id = n.id and b.organization_id = n.organization_id
      where n.organization_id = :organizationId order by n.created_at, n.id`,
    { organizationId },
  )
}

/** Counts the recipients whose check is still valid. */
export async function countKnown(db: Db, organizationId: string): Promise<number> {
  const [known] = await rows<{ count: number }>(
    db,
    `select count(*)::int as count from recipient_checks
      where organization_id = :organizationId and valid_until > (select service_now())`,
    { organizationId },
  )
  return known?.count ?? 0
}
