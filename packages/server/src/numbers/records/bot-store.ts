import { type Db, rows } from '#platform/db/db.ts'

/** Returns the active assistant that answers on a number, or undefined. */
export async function findActiveBot(db: Db, organizationId: string, containerId: string): Promise<string | undefined> {
  const [found] = await rows<{ botId: string }>(
    db,
    `select bot_id from bot_numbers
      where organization_id = :organizationId and container_id = :containerId and active`,
    { organizationId, containerId },
  )
  return found?.botId
}
