import { limits } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'

/** What became of the codes of one UTC day, like 2026-11-03. */
export interface CodeDay {
  readonly day: string
  readonly verified: number
  readonly expired: number
  readonly limited: number
}

/** Returns the last days, oldest first, today included. A day without codes is there as well. */
export async function listDays(db: Db, organizationId: string, days: number): Promise<CodeDay[]> {
  return rows<CodeDay>(
    db,
    `with clock as (select service_now() as now),
     days as (
       select ((now at time zone 'UTC')::date - past) as day from clock, generate_series(0, :days::int - 1) as past
     ), counted as (
       select day, verified, expired, limited from otp_days where organization_id = :organizationId
       union all
       select (created_at at time zone 'UTC')::date, count(*) filter (where verified_at is not null),
              count(*) filter (where verified_at is null and expires_at < now), 0
         from otp_requests, clock where organization_id = :organizationId group by 1
     )
     select to_char(day, 'YYYY-MM-DD') as day, coalesce(sum(verified), 0)::int8 as verified,
            coalesce(sum(expired), 0)::int8 as expired, coalesce(sum(limited), 0)::int8 as limited
       from days left join counted using (day) group by day order by day`,
    { organizationId, days },
  )
}

/** Counts a code that a limit refused. */
export async function countLimited(db: Db, organizationId: string): Promise<void> {
  await rows(
    db,
    `insert into otp_days as d (organization_id, day, limited)
     values (:organizationId, ((select service_now()) at time zone 'UTC')::date, 1)
     on conflict (organization_id, day) do update set limited = d.limited + 1`,
    { organizationId },
  )
}

/** Deletes up to `limit` days that no request can ask for. Returns how many there were. */
export async function deleteExpiredDays(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from otp_days where ctid = any(array(
       select ctid from otp_days where day < ((select service_now()) at time zone 'UTC')::date - :days::int
         limit :limit))
     returning 1 as gone`,
    { limit, days: limits.statsDays },
  )
  return gone.length
}
