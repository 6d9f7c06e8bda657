import { type NumberRow, numberColumns } from '#numbers/records/store.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** Returns the milliseconds until the next check of any number is due; 0 when one is due now, null without one. */
export async function readNextCheckMs(db: Db): Promise<number | null> {
  const [next] = await rows<{ ms: number | null }>(
    db,
    `select greatest(0, ceil(extract(epoch from min(next_check_at) - (select service_now())) * 1000))::float8 as ms
       from numbers where ${notMoving('organization_id')}`,
    {},
  )
  return next?.ms ?? null
}

/**
 * Claims numbers that are due for a check, of all organizations, longest due first. Their next check is `holdMs` later,
 * which is the lease of the claim too. Once one is due, working numbers that are due within five seconds are claimed
 * with it, so that few statements check a thousand numbers.
 */
export async function claimDue(db: Db, limit: number, holdMs: number): Promise<NumberRow[]> {
  return rows<NumberRow>(
    db,
    `update numbers n set next_check_at = (select service_now()) + :holdMs * interval '1 millisecond'
      where n.id = any(array(
        select id from numbers
         where next_check_at <= (select service_now()) + interval '5 s'
           and (next_check_at <= (select service_now()) or status = 'WORKING' and missed_probes = 0)
           and (select min(next_check_at) from numbers where ${notMoving('organization_id')}) <= (select service_now())
           and ${notMoving('organization_id')}
         order by next_check_at limit :limit for no key update skip locked))
     returning ${numberColumns}`,
    { limit, holdMs },
  )
}

/**
 * The next check of a number and the missed checks of its host; without a time it is checked when its state changes.
 */
export interface NextCheck {
  readonly number: Pick<NumberRow, 'id' | 'organizationId' | 'status' | 'statusSince'>
  readonly at: Date | null
  readonly missedProbes: number
}

/** Writes the next checks of numbers whose state has not changed since they were read. */
export async function writeNextChecks(db: Db, checks: readonly NextCheck[]): Promise<void> {
  if (checks.length === 0) return
  await rows(
    db,
    `with checked as (
       select l.*
         from unnest(:organizations::uuid[], :ids::uuid[], :statuses::text[], :sinces::timestamptz[],
             :ats::timestamptz[],
                     :missed::int[]) as l(organization_id, id, status, since, at, missed)
         join numbers n on n.id = l.id order by n.id for no key update of n
     )
     update numbers n set next_check_at = l.at, missed_probes = l.missed from checked l
      where n.organization_id = l.organization_id and n.id = l.id and n.status = l.status
        and date_trunc('milliseconds', n.status_since) = l.since`,
    {
      organizations: checks.map(({ number }) => number.organizationId),
      ids: checks.map(({ number }) => number.id),
      statuses: checks.map(({ number }) => number.status),
      sinces: checks.map(({ number }) => number.statusSince),
      ats: checks.map(({ at }) => at),
      missed: checks.map(({ missedProbes }) => missedProbes),
    },
  )
}

/** Records that the hosts of these working numbers responded. All organizations are included. */
export async function writeHealthy(db: Db, containerIds: readonly string[]): Promise<void> {
  if (containerIds.length === 0) return
  await rows(
    db,
    `with working as materialized (
       select id from numbers where id = any(:containerIds::uuid[]) and status = 'WORKING' order by id for no key update
     )
     update numbers n set last_healthy_at = (select service_now()) from working where n.id = working.id`,
    { containerIds },
  )
}

/** Makes a number due for a check now, unless it is due within seconds. */
export async function checkSoon(db: Db, organizationId: string, containerId: string): Promise<void> {
  const changed = await db('numbers')
    .where({ organizationId, id: containerId })
    .where('nextCheckAt', '>', serviceNow(db, 5000))
    .update({ nextCheckAt: serviceNow(db) })
  if (changed > 0) afterCommit(db, 'checks')
}

/** When the network counts as silent, see {@link findUnheard}. */
export interface Silence {
  readonly sends: number
  readonly people: number
  readonly forMs: number
}

/**
 * Returns the working numbers whose sends the network does not acknowledge: `sends` messages to `people` recipients
 * since they were connected, the first of them `forMs` ago, and none accepted since then. Receipts of phones do not
 * count. All organizations are included.
 */
export async function findUnheard(
  db: Db,
  containerIds: readonly string[],
  { sends, people, forMs }: Silence,
): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    db,
    `with silent as (
       select n.id, n.organization_id, min(coalesce(m.unacknowledged_since, m.outcome_unknown_since)) as since
         from numbers n
         join messages m on m.container_id = n.id
          and (m.unacknowledged_since is not null or m.outcome_unknown_since is not null)
          and coalesce(m.unacknowledged_since, m.outcome_unknown_since)
              >= greatest(n.connected_since, (select service_now()) - interval '1 hour')
        where n.id = any(:containerIds::uuid[]) and n.status = 'WORKING'
        group by n.id
       having count(*) >= :sends and count(distinct m.recipient) >= :people
          and min(coalesce(m.unacknowledged_since, m.outcome_unknown_since))
              <= (select service_now()) - :forMs * interval '1 millisecond'
     )
     select s.id from silent s
      where not exists (
        select from messages m
         where m.organization_id = s.organization_id and m.created_at > (select service_now()) - interval '2 days'
           and m.container_id = s.id and m.sent_at >= s.since
           and m.unacknowledged_since is null and m.outcome_unknown_since is null)`,
    { containerIds, sends, people, forMs },
  )
  return new Set(found.map(({ id }) => id))
}
