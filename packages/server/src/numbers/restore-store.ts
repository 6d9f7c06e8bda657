import { type Db, rows } from '#platform/db/db.ts'

/** Holds the queue of every number on which messages wait, of all organizations. Returns how many numbers there are. */
export async function holdWaitingQueues(trx: Db): Promise<number> {
  const held = await rows(
    trx,
    `update numbers n set queue_held_at = (select service_now())
      where exists (select from messages m
                     where m.organization_id = n.organization_id and m.container_id = n.id and m.status = 'queued')
     returning n.id`,
  )
  return held.length
}
