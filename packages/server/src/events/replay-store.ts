import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/**
 * Plans a replay of an event, due now, for each endpoint that receives its kind. Returns whether the organization has
 * the event, and the number of replays.
 */
export async function insertReplay(
  db: Db,
  organizationId: string,
  eventId: string,
): Promise<{ readonly exists: boolean; readonly planned: number }> {
  const [result] = await rows<{ exists: boolean; planned: number }>(
    db,
    `with event as (
       select id, event from events where organization_id = :organizationId and id = :eventId
     ), planned as (
       insert into webhook_deliveries
         (id, event_id, organization_id, endpoint_id, status, replay, next_attempt_at, created_at)
       select gen_random_uuid(), event.id, :organizationId, webhooks.id, 'pending', true, service_now(), service_now()
       from event join webhooks on webhooks.organization_id = :organizationId
       where webhooks.url is not null and (webhooks.kinds is null or event.event = any(webhooks.kinds))
       returning id
     )
     select exists (select from event) as exists, (select count(*) from planned) as planned`,
    { eventId, organizationId },
  )
  afterCommit(db, 'deliveries')
  return result ?? { exists: false, planned: 0 }
}
