import { type Db, rows } from '../db/db.ts'
import { type EventSubject, eventSubjectColumns } from '../events/message-event.ts'

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

/** Fails everything that is queued on a number, for one reason; answers what their events have to tell. */
export async function failQueuedOf(
  trx: Db,
  organizationId: string,
  containerId: string,
  reason: QueueFailure,
): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with failed as (
       update messages m set status = 'failed', error = :error, error_code = :code, failed_at = (select service_now())
        where ${queuedOn}
       returning m.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { organizationId, containerId, code: reason.code, error: reason.error },
  )
}

/** How many messages are queued on a number. */
export async function countQueuedOf(db: Db, organizationId: string, containerId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(db, `select count(*) as count from messages m where ${queuedOn}`, {
    organizationId,
    containerId,
  })
  return counted?.count ?? 0
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
