import { closeLanes } from '#numbers/lanes/lane-store.ts'
import { lockLanes } from '#numbers/send-group/failover-store.ts'
import { type Db, rows } from '#platform/db/db.ts'

/**
 * Holds the queues of all numbers of an organization and stops the numbers, so that nothing more is claimed from them.
 * Lock the organization first.
 */
export async function holdNumbers(trx: Db, organizationId: string): Promise<void> {
  await lockLanes(trx, organizationId)
  await rows(
    trx,
    `update numbers set desired_state = 'stopped', queue_held_at = coalesce(queue_held_at, service_now())
      where organization_id = :organizationId`,
    { organizationId },
  )
  await closeLanes(trx, organizationId)
}
