import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import { allowPurge } from './erase-store.ts'

/** Which entries of the log. Null filters nothing. */
export interface ActivityFilter {
  readonly action: string | null
  readonly actor: string | null
  readonly subject: string | null
  readonly from: string | null
  readonly to: string | null
  /** Only entries before the one with this id. */
  readonly before: string | null
  readonly limit: number
}

/** An entry as it is listed. */
export interface ListedEntry
  extends Pick<Row<'activity_log'>, 'id' | 'at' | 'actorKind' | 'actorId' | 'action' | 'subject' | 'ip'> {
  /** Null for a person who was deleted, and for other kinds of actors. */
  readonly actorName: string | null
  readonly details: Record<string, unknown>
}

/** Returns entries of an organization, the latest first. */
export async function listActivity(db: Db, organizationId: string, filter: ActivityFilter): Promise<ListedEntry[]> {
  return rows<ListedEntry>(
    db,
    `select l.id, l.at, l.actor_kind, l.actor_id, u.name as actor_name, l.action, l.subject, l.details, l.ip
       from activity_log l left join users u on l.actor_kind = 'user' and u.id::text = l.actor_id
      where l.organization_id = :organizationId
        and (:before::bigint is null or l.id < :before::bigint)
        and (:action::text is null or l.action = :action or split_part(l.action, '.', 1) = :action)
        and (:actor::text is null or l.actor_id = :actor or l.actor_kind = :actor)
        and (:subject::text is null or l.subject = :subject)
        and (:from::timestamptz is null or l.at >= :from::timestamptz)
        and (:to::timestamptz is null or l.at < :to::timestamptz)
      order by l.id desc limit :limit`,
    { organizationId, ...filter },
  )
}

/** Deletes up to `limit` entries that are older than `days`. Returns how many there were. */
export async function deleteExpiredActivity(db: Db, days: number, limit = 5000): Promise<number> {
  return db.transaction(async (trx) => {
    await allowPurge(trx)
    const deleted = await rows(
      trx,
      `delete from activity_log where id = any(array(
         select id from activity_log where at < (select service_now()) - :days::int * interval '1 day' limit :limit))
       returning id`,
      { days, limit },
    )
    return deleted.length
  })
}
