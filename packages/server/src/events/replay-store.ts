import { type Db, rows } from '../db/db.ts'

/** Plans a replay of an event, due now. Returns false if the organization has no such event. */
export async function insertReplay(
  db: Db,
  organizationId: string,
  { id, eventId }: { id: string; eventId: string },
): Promise<boolean> {
  const planned = await rows(
    db,
    `insert into webhook_deliveries (id, event_id, organization_id, status, replay, next_attempt_at, created_at)
     select :id, events.id, organization_id, 'pending', true, service_now(), service_now()
     from events where organization_id = :organizationId and events.id = :eventId
     returning id`,
    { id, eventId, organizationId },
  )
  return planned.length > 0
}

/** Returns whether the organization has a webhook address. */
export async function hasWebhookUrl(db: Db, organizationId: string): Promise<boolean> {
  const webhook = await db('webhooks').where({ organization_id: organizationId }).first('url')
  return webhook != null && webhook.url !== null
}
