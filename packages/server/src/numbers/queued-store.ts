import { type Db, rows } from '../db/db.ts'
import { type EventSubject, eventSubjectColumns } from '../events/message-event.ts'

/** Fails everything that is queued on a number, for one reason; answers what their events have to tell. */
export async function failQueuedOf(
  trx: Db,
  organizationId: string,
  containerId: string,
  reason: { code: 'NUMBER_REMOVED' | 'DISCARDED'; error: string },
): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with failed as (
       update messages set status = 'failed', error = :error, error_code = :code, failed_at = (select service_now())
        where organization_id = :organizationId and container_id = :containerId and status = 'queued'
       returning *
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { organizationId, containerId, code: reason.code, error: reason.error },
  )
}

/** How many messages are queued on a number. */
export async function countQueuedOf(db: Db, organizationId: string, containerId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from messages
      where organization_id = :organizationId and container_id = :containerId and status = 'queued'`,
    { organizationId, containerId },
  )
  return counted?.count ?? 0
}
