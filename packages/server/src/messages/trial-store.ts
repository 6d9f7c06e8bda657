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

/** The trial of an organization as it is stored. */
interface TrialRow {
  readonly endsAt: Date | null
  /** Messages used of the current UTC day. */
  readonly used: number
}

/** Returns when the trial of the organization ends and how much of its day is used. */
export async function findTrial(db: Db, organizationId: string): Promise<TrialRow> {
  const [row] = await rows<TrialRow>(
    db,
    `select o.trial_ends_at as "endsAt", coalesce(t.used, 0) as used
       from organizations o left join trial_usage t
         on t.organization_id = o.id and t.day = ((select service_now()) at time zone 'UTC')::date
      where o.id = :organizationId`,
    { organizationId },
  )
  return row ?? { endsAt: null, used: 0 }
}
