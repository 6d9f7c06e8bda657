import { type Db, rows } from '#platform/db/db.ts'

/**
 * Counts messages against the trial quota of the day, in the transaction that stores them. Check and count are one
 * statement, so that parallel requests cannot pass it together. Returns the new count, or null when the messages do not
 * fit.
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
     select :organizationId, ((select service_now()) at time zone 'UTC')::date, :requested
       where :requested::int <= :limit::int
     on conflict (organization_id, day) do update set used = t.used + excluded.used
      where t.used + excluded.used <= :limit::int
     returning used`,
    { organizationId, requested, limit },
  )
  return counted ?? null
}

/** Returns one message to the trial quota of the day on which it was counted; without a trial it changes nothing. */
export async function refundTrial(
  trx: Db,
  { organizationId, messageId }: { readonly organizationId: string; readonly messageId: string },
): Promise<void> {
  await rows(
    trx,
    `update trial_usage t set used = t.used - 1 from messages m
      where t.organization_id = :organizationId and m.organization_id = :organizationId and m.id = :messageId
        and t.day = (m.created_at at time zone 'UTC')::date and t.used > 0`,
    { organizationId, messageId },
  )
}

/** The stored trial of an organization. */
interface TrialRow {
  readonly endsAt: Date | null
  /** Messages used of the current UTC day. */
  readonly used: number
}

/** Returns when the trial of the organization ends and how much of its day is used. */
export async function findTrial(db: Db, organizationId: string): Promise<TrialRow> {
  const [row] = await rows<TrialRow>(
    db,
    `select o.trial_ends_at as ends_at, coalesce(t.used, 0) as used
       from organizations o left join trial_usage t
         on t.organization_id = o.id and t.day = ((select service_now()) at time zone 'UTC')::date
      where o.id = :organizationId`,
    { organizationId },
  )
  return row ?? { endsAt: null, used: 0 }
}
