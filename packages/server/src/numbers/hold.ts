import { type Db, transaction } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { Services } from '#services.ts'
import { endHold } from './connection/state-store.ts'
import { hasWaiting } from './lanes/queued-store.ts'
import { lockNumber } from './records/store.ts'
import { lockGroupLanes, type MoveResult, moveAllWaiting, moveWaiting } from './send-group/failover.ts'
import { findHolds } from './sweep-store.ts'

/** Ends the hold of a locked number, in a transaction with locked lanes. */
export async function openQueue(trx: Db, organizationId: string, containerId: string): Promise<MoveResult> {
  await endHold(trx, organizationId, containerId)
  afterCommit(trx, 'lanes')
  return moveWaiting(trx, organizationId)
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
      await lockGroupLanes(trx, organizationId)
      return (await hasWaiting(trx, organizationId, containerId)) ? null : openQueue(trx, organizationId, containerId)
    })
    if (moved?.more) await moveAllWaiting(services, organizationId)
  }
}
