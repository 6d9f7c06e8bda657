import { closeLanes } from '#numbers/lanes/lane-store.ts'
import { type Db, rows } from '#platform/db/db.ts'

/**
 * Holds the queues of all numbers of an organization and stops the numbers, so that nothing more is claimed from them.
 * Lock the organization first. The numbers are locked before their lanes, as where one changes its state.
 */
export async function holdNumbers(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `with locked as materialized (
       select id from numbers where organization_id = :organizationId order by id for update
     )
     update numbers n set desired_state = 'stopped', queue_held_at = coalesce(queue_held_at, service_now())
       from locked where n.id = locked.id`,
    { organizationId },
  )
  await closeLanes(trx, organizationId)
}
