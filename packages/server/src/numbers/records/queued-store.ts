import { type Db, rows } from '../../db/db.ts'
import { type EventSubject, eventSubjectColumns } from '../../events/message-event.ts'

/** Why everything that is queued on a number fails. */
export interface QueueFailure {
  readonly code: 'NUMBER_REMOVED' | 'DISCARDED' | 'PRODUCT_REQUIRED'
  readonly error: string
}

/**
 * What waits in a number's queue. High ones, the others and those of campaigns are named because each have an index of
 * their own, and Postgres uses them only for a condition that says so.
 */
const queuedOn = `m.organization_id = :organizationId and m.container_id = :containerId and m.status = 'queued'
  and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null or m.campaign_id is not null)`

/**
 * Fails what is queued on a number, for one reason: all of it, or `limit` messages at most. Answers what their events have
 * to tell.
 */
export async function failQueued(
  trx: Db,
  organizationId: string,
  containerId: string,
  reason: QueueFailure,
  limit: number | null = null,
): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with picked as materialized (select m.id from messages m where ${queuedOn} limit :limit for update), failed as (
       update messages m set status = 'failed', error = :error, error_code = :code, failed_at = (select service_now())
        where m.id = any(array(select id from picked))
       returning m.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { organizationId, containerId, limit, code: reason.code, error: reason.error },
  )
}

/** How many messages are queued on a number. */
export async function countQueued(db: Db, organizationId: string, containerId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(db, `select count(*) as count from messages m where ${queuedOn}`, {
    organizationId,
    containerId,
  })
  return counted?.count ?? 0
}

/** Whether a campaign that is sending has messages to send through a number. */
export async function carriesCampaign(trx: Db, organizationId: string, containerId: string): Promise<boolean> {
  const [found] = await rows<{ carries: boolean }>(
    trx,
    `select exists (
       select from campaigns c
        where c.organization_id = :organizationId and c.status = 'sending' and exists (
          select from messages m
           where m.campaign_id = c.id and m.status in ('queued', 'sending') and m.container_id = :containerId)) as carries`,
    { organizationId, containerId },
  )
  return found?.carries ?? false
}

/** Whether messages wait to be sent through a number: queued, or claimed and so perhaps about to be queued again. */
export async function hasWaiting(trx: Db, organizationId: string, containerId: string): Promise<boolean> {
  const [found] = await rows<{ waiting: boolean }>(
    trx,
    `select exists (select from messages m where ${queuedOn})
         or exists (select from messages where organization_id = :organizationId and container_id = :containerId
                       and status = 'sending' and lease_token is not null) as waiting`,
    { organizationId, containerId },
  )
  return found?.waiting ?? false
}
