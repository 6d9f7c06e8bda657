import { type Db, rows } from '../db/db.ts'

/**
 * Counts messages against the free trial's day, in the transaction that stores them: check and count are one statement,
 * so that parallel requests cannot pass it together. Answers the count after it, or null when they do not fit.
 */
export async function countTrial(
  trx: Db,
  organizationId: string,
  requested: number,
  limit: number,
): Promise<{ used: number } | null> {
  const [counted] = await rows<{ used: number }>(
    trx,
    `insert into trial_usage as t (organization_id, day, used)
     select :organizationId, ((select service_now()) at time zone 'UTC')::date, :requested where :requested::int <= :limit::int
     on conflict (organization_id, day) do update set used = t.used + excluded.used
      where t.used + excluded.used <= :limit::int
     returning used`,
    { organizationId, requested, limit },
  )
  return counted ?? null
}

/** How many messages of the trial's day are used. */
export async function trialUsed(db: Db, organizationId: string): Promise<number> {
  const [row] = await rows<{ used: number }>(
    db,
    `select used from trial_usage
      where organization_id = :organizationId and day = ((select service_now()) at time zone 'UTC')::date`,
    { organizationId },
  )
  return row?.used ?? 0
}
