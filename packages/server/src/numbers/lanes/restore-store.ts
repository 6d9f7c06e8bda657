import { type Db, rows } from '#platform/db/db.ts'

/**
 * Binds every message that waits to its number, of all organizations, so that none leaves through a number whose queue
 * is not held. Returns how many there are.
 */
export async function pinWaiting(trx: Db): Promise<number> {
  const waiting = await rows(
    trx,
    `update messages set pinned = true where status in ('queued', 'sending') and not direct returning id`,
  )
  return waiting.length
}

/** Closes the lanes of all numbers whose queue is held. */
export async function closeHeldLanes(trx: Db): Promise<void> {
  await rows(
    trx,
    `update lanes l set open = false from numbers n
      where n.organization_id = l.organization_id and n.id = l.container_id and n.queue_held_at is not null and l.open`,
  )
}
