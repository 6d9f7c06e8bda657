import type { MessageStatus, MessageType } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'
import type { RecentCounts, TypeCounts } from './counts.ts'

const statuses = ['queued', 'sending', 'sent', 'delivered', 'read', 'failed'] as const satisfies MessageStatus[]
const columns = statuses.join(', ')
const sums = statuses.map((status) => `sum(${status})::int8 as ${status}`).join(', ')
const nonZero = `sum(${statusCount(null)}) <> 0`
const added = statuses.map((status) => `${status} = c.${status} + excluded.${status}`).join(', ')

/** Returns the SQL expression that counts the messages of one status, or of all, in a row of counts. */
export function statusCount(status: MessageStatus | null): string {
  return `(${statuses.filter((each) => status === null || each === status).join(' + ')})`
}

/** SQL condition: whether there are changes to roll up. */
export const hasCountChanges = 'exists (select from message_count_changes)'

/** SQL of the counts by hour of one organization, with the changes that are not rolled up yet. */
export const hourRows = `
  select hour, type, ${columns} from message_hours where organization_id = :organizationId
  union all
  select hour, type, ${columns} from message_count_changes where organization_id = :organizationId`

/**
 * Returns the organization's messages by type and status, exact at this moment. A type without messages may be missing.
 */
export async function countByType(db: Db, organizationId: string): Promise<TypeCounts[]> {
  return rows<TypeCounts>(
    db,
    `select type, ${sums} from (
       select type, ${columns} from message_totals where organization_id = :organizationId
       union all
       select type, ${columns} from message_count_changes where organization_id = :organizationId) counted
      group by type`,
    { organizationId },
  )
}

/**
 * Returns the number of the organization's messages of the last 24 hours and seven days. Whole hours come from the
 * counts; the hour in which a window begins is counted row by row.
 */
export async function countRecent(db: Db, organizationId: string): Promise<RecentCounts> {
  const [counted] = await rows<RecentCounts>(
    db,
    `with recent as (
       select since, date_bin('1 hour', since, timestamptz 'epoch') + interval '1 hour' as whole
         from (select (select service_now()) - length as since
             from unnest('{24 hours, 7 days}'::interval[]) as length) w
     ), counted as (
       select since,
              (select coalesce(sum(${statusCount(null)}), 0) from (${hourRows}) hours where hours.hour >= whole) +
              (select count(*) from message_places m
                where m.organization_id = :organizationId and m.created_at > since and m.created_at < whole) as count
         from recent
     )
     select (max(count) filter (where since = newest))::int8 as last24h,
            (max(count) filter (where since <> newest))::int8 as last7d
       from counted, (select max(since) as newest from recent) n`,
    { organizationId },
  )
  return counted ?? { last24h: 0, last7d: 0 }
}

/** Returns the number of the organization's messages of the last days, by whole hours. */
export async function countSince(db: Db, organizationId: string, days: number): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select coalesce(sum(${statusCount(null)}), 0)::int8 as count from (${hourRows}) hours
      where hour > (select service_now()) - :days::int * interval '1 day'`,
    { organizationId, days },
  )
  return counted?.count ?? 0
}

/** The counts of the messages of one type that were accepted in one hour. */
export type HourCounts = TypeCounts & { readonly hour: Date }

/** Returns the counts of the hours of a span, oldest first: from the hour of `from` until `to`. */
export async function listHours(
  db: Db,
  organizationId: string,
  span: { readonly from: Date; readonly to: Date; readonly type: MessageType | null },
): Promise<HourCounts[]> {
  return rows<HourCounts>(
    db,
    `select hour, type, ${sums} from (${hourRows}) hours
      where hour >= date_bin('1 hour', :from::timestamptz, timestamptz 'epoch') and hour < :to::timestamptz
        and (:type::text is null or type = :type)
      group by hour, type having ${nonZero} order by hour, type`,
    { organizationId, ...span },
  )
}

/**
 * Rolls up some appended changes into the counts of hours and totals; returns their number. Any number of workers may
 * run it at once: each takes changes that no other worker has locked, and updates the counts in the order of their
 * keys.
 */
export async function rollUpCounts(db: Db, limit: number): Promise<number> {
  const [rolledUp] = await rows<{ count: number }>(
    db,
    `with taken as (
       delete from message_count_changes
        where ctid = any(array(select ctid from message_count_changes limit :limit for update skip locked))
       returning organization_id, hour, type, ${columns}
     ), hours as (
       insert into message_hours as c (organization_id, hour, type, ${columns})
       select organization_id, hour, type, ${sums} from taken group by 1, 2, 3 order by 1, 2, 3
       on conflict (organization_id, hour, type) do update set ${added}
     ), totals as (
       insert into message_totals as c (organization_id, type, ${columns})
       select organization_id, type, ${sums} from taken group by 1, 2 order by 1, 2
       on conflict (organization_id, type) do update set ${added}
     )
     select count(*) as count from taken`,
    { limit },
  )
  return rolledUp?.count ?? 0
}
