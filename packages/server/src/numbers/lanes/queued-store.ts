import { messageErrorCodes } from '@msgctl/contract'
import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { type Db, rows } from '#platform/db/db.ts'

/** Why all messages that are queued on a number fail. */
export type QueueFailure = 'NUMBER_REMOVED' | 'DISCARDED' | 'PRODUCT_REQUIRED' | 'CANCELLED'

/**
 * Fails the messages that are queued on a number with one code: all of them, those created until a time, or `limit` of
 * them. Returns the subjects of their events.
 */
export async function failQueued(
  trx: Db,
  organizationId: string,
  containerId: string,
  code: QueueFailure,
  { limit = null, createdUntil = null }: { limit?: number | null; createdUntil?: Date | null } = {},
): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with picked as materialized (
       select m.id from messages m
        where m.organization_id = :organizationId and m.container_id = :containerId and m.status = 'queued'
          -- High ones, the others and those of campaigns each have an index, which needs its condition spelt out.
          and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null or m.campaign_id is not null)
          and (:createdUntil::timestamptz is null or m.created_at <= :createdUntil)
        limit :limit for update
     ), failed as (
       update messages m set status = 'failed', error = :error, error_code = :code, failed_at = (select service_now())
        where m.id = any(array(select id from picked))
       returning m.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { organizationId, containerId, limit, createdUntil, code, error: messageErrorCodes[code] },
  )
}

/**
 * Fails queued messages whose number was removed: a worker held them then, and gave them back. Covers all
 * organizations. Returns the subjects of their events.
 */
export async function failOrphans(trx: Db, limit: number): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with picked as (
       select m.id from messages m
        where m.status = 'queued'
          -- As above: one index for each of the three.
          and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null or m.campaign_id is not null)
          and not exists (select from lanes l where l.container_id = m.container_id)
        limit :limit for update of m skip locked
     ), failed as (
       update messages m
          set status = 'failed', error = :error, error_code = 'NUMBER_REMOVED', failed_at = (select service_now())
         from picked where m.id = picked.id
       returning m.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { limit, error: messageErrorCodes.NUMBER_REMOVED },
  )
}

/** Returns how many messages are queued on a number. */
export async function countQueued(db: Db, organizationId: string, containerId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from messages m
      where m.organization_id = :organizationId and m.container_id = :containerId and m.status = 'queued'
        and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null or m.campaign_id is not null)`,
    { organizationId, containerId },
  )
  return counted?.count ?? 0
}

/** Returns whether a campaign that is sending has messages to send through a number. */
export async function carriesCampaign(trx: Db, organizationId: string, containerId: string): Promise<boolean> {
  const [found] = await rows<{ carries: boolean }>(
    trx,
    `select exists (
       select from campaigns c
        where c.organization_id = :organizationId and c.status = 'sending' and exists (
          select from messages m
           where m.campaign_id = c.id and m.status in ('queued', 'sending')
             and m.container_id = :containerId)) as carries`,
    { organizationId, containerId },
  )
  return found?.carries ?? false
}

/** Returns whether a number has messages to send: queued ones, or claimed ones that may be queued again. */
export async function hasWaiting(trx: Db, organizationId: string, containerId: string): Promise<boolean> {
  const [found] = await rows<{ waiting: boolean }>(
    trx,
    `select exists (
              select from messages m
               where m.organization_id = :organizationId and m.container_id = :containerId and m.status = 'queued'
                 and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null
                     or m.campaign_id is not null))
         or exists (select from messages where organization_id = :organizationId and container_id = :containerId
                       and status = 'sending' and lease_token is not null) as waiting`,
    { organizationId, containerId },
  )
  return found?.waiting ?? false
}
