import { type Db, transaction } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { Services } from '#services.ts'
import { endHold } from './connection/state-store.ts'
import { hasWaiting } from './lanes/queued-store.ts'
import { lockNumber } from './records/store.ts'
import { lockGroupLanes, type MoveResult, moveAllWaiting, moveLocked } from './send-group/failover.ts'
import { findHolds } from './sweep-store.ts'

/** Ends the hold of a locked number, after {@link lockGroupLanes} has returned `areAllLocked`. */
export async function openQueue(
  trx: Db,
  organizationId: string,
  containerId: string,
  areAllLocked: boolean,
): Promise<MoveResult> {
  await endHold(trx, organizationId, containerId)
  afterCommit(trx, 'lanes')
  return moveLocked(trx, organizationId, areAllLocked)
}

/**
 * Ends the holds of numbers on which nothing waits any more, of all organizations: the held messages were cancelled,
 * moved, or removed with their campaign.
 */
export async function endEmptyHolds(services: Pick<Services, 'db'>): Promise<void> {
  for (const { organizationId, containerId } of await findHolds(services.db)) {
    const moved = await transaction(services.db, async (trx) => {
      const number = await lockNumber(trx, organizationId, containerId)
      if (!number?.queueHeldAt) return null
      const areAllLocked = await lockGroupLanes(trx, organizationId)
      if (await hasWaiting(trx, organizationId, containerId)) return null
      return openQueue(trx, organizationId, containerId, areAllLocked)
    })
    if (moved?.more) await moveAllWaiting(services, organizationId)
  }
}
