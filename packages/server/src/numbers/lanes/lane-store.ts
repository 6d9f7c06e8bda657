import type { Db } from '#platform/db/db.ts'
import { rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/**
 * Returns SQL that adds the lanes of the new numbers in `numbers`, as a part of the statement that adds them: a number
 * without a lane counts as one whose removal has begun. Lanes are closed until their numbers work. The binding
 * `guarded` is true where the guard rules hold for them; null leaves that to GUARD.
 */
export function insertLanesSql(numbers: string): string {
  return `insert into lanes (container_id, organization_id, guarded)
          select id, organization_id, :guarded::boolean from ${numbers}`
}

/**
 * Deletes the lane of a number that is being removed: from then on nothing can be queued on it. Waits for transactions
 * that are queueing on it.
 */
export async function deleteLane(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await trx('lanes').where({ organizationId, containerId }).delete()
  afterCommit(trx, 'lane-closed')
}

/** Opens or closes lanes of an organization: one is open only while its number works and its queue is not held. */
export async function updateLaneStates(
  trx: Db,
  organizationId: string,
  containerIds: readonly string[],
): Promise<void> {
  await rows(
    trx,
    `with changed as materialized (
       select l.container_id, n.status = 'WORKING' and n.queue_held_at is null as open
         from lanes l join numbers n on n.id = l.container_id
        where l.organization_id = :organizationId and l.container_id = any(:containerIds::uuid[])
          and l.open <> (n.status = 'WORKING' and n.queue_held_at is null)
        order by l.container_id for no key update of l
     )
     update lanes l set open = changed.open from changed
      where l.organization_id = :organizationId and l.container_id = changed.container_id`,
    { organizationId, containerIds },
  )
}

/** Closes all lanes of an organization, which it locks in their order. */
export async function closeLanes(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `with locked as materialized (
       select container_id from lanes where organization_id = :organizationId order by container_id for update
     )
     update lanes l set open = false from locked where l.container_id = locked.container_id`,
    { organizationId },
  )
  afterCommit(trx, 'lane-closed')
}

/**
 * SQL of the lanes that a statement locks, in their order, as it stores texts on the lanes of `lane` (container_id,
 * due_at, and whether all its texts are pinned): these, and with a closed one all of its organization, if the send
 * group is on. What is stored on a closed lane moves to another one, and the other locks cannot be had later: two that
 * hold one lane each would wait for each other. `whole` is true where all are locked.
 */
export const lockedLanesSql = `
  closed as materialized (
    select distinct l.organization_id
      from lanes l join lane using (container_id) join send_groups g on g.organization_id = l.organization_id
     where not l.open and not lane.pinned and g.enabled
  ), wanted as materialized (
    select container_id from lane
     union select n.id from closed join numbers n on n.organization_id = closed.organization_id
  ), locked as materialized (
    select l.container_id, l.open, l.next_claim_at, lane.due_at,
           l.organization_id in (select organization_id from closed) as whole
      from wanted join lanes l using (container_id) left join lane using (container_id)
     order by l.container_id for update of l
  )`
