import { type Db, rows } from '#platform/db/db.ts'

/** Returns the campaigns of an organization that have messages to send through a number. */
export async function findSendingThrough(db: Db, organizationId: string, containerId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select c.id from campaigns c
      where c.organization_id = :organizationId and c.status = 'sending' and exists (
        select from messages m
         where m.campaign_id = c.id and m.status in ('queued', 'sending') and m.container_id = :containerId)`,
    { organizationId, containerId },
  )
  return found.map(({ id }) => id)
}
