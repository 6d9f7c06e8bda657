import type { Db } from '../../db/db.ts'
import { rows } from '../../db/db.ts'

/**
 * Adds the lane of a new number. It is closed until the number works. With `guarded` the guard rules hold for it; null
 * leaves that to GUARD.
 */
export async function insertLane(
  trx: Db,
  { organizationId, containerId, guarded }: { organizationId: string; containerId: string; guarded: true | null },
): Promise<void> {
  await trx('lanes').insert({ container_id: containerId, organization_id: organizationId, guarded })
}

/**
 * Deletes the lane of a number that is being removed: from then on nothing can be queued on it. Waits for transactions
 * that are queueing on it.
 */
export async function deleteLane(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await trx('lanes').where({ organization_id: organizationId, container_id: containerId }).delete()
}

/** Opens or closes the lane of a number: it is open only while the number works and its queue is not held. */
export async function updateLaneState(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await rows(
    trx,
    `update lanes l set open = n.status = 'WORKING' and n.queue_held_at is null
       from numbers n
      where l.container_id = :containerId and l.organization_id = :organizationId and n.id = l.container_id
        and l.open <> (n.status = 'WORKING' and n.queue_held_at is null)`,
    { organizationId, containerId },
  )
}

/** Closes all lanes of an organization. */
export async function closeLanes(trx: Db, organizationId: string): Promise<void> {
  await trx('lanes').where({ organization_id: organizationId }).update({ open: false })
}
