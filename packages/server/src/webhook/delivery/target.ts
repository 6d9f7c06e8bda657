import { sharedBatcher } from '../../concurrency/batcher.ts'
import type { Db } from '../../db/db.ts'
import type { Services } from '../../services.ts'
import { findTargets, type Target } from '../configuration/store.ts'
import type { ClaimedDelivery } from './delivery-store.ts'

/** How long the address and the secrets of a claim stay valid. */
const freshForMs = 250

const readTarget = sharedBatcher(async (db: Db, endpointIds: readonly string[]): Promise<(Target | undefined)[]> => {
  const found = new Map((await findTargets(db, endpointIds)).map((target) => [target.endpointId, target]))
  return endpointIds.map((endpointId) => found.get(endpointId))
})

/** The target of an endpoint that was removed since the claim. */
const removed = { url: null, secret: null, previousSecret: null }

/**
 * Returns the delivery with the current address and secrets if it has waited since it was claimed. So a new secret signs at
 * once, and nothing is posted to a replaced address. Never throws.
 */
export async function withPresentTarget(
  { db, log }: Pick<Services, 'db' | 'log'>,
  delivery: ClaimedDelivery,
  waitedMs: number,
): Promise<ClaimedDelivery> {
  if (waitedMs <= freshForMs) return delivery
  try {
    const { url, secret, previousSecret } = (await readTarget(db, delivery.endpointId)) ?? removed
    return { ...delivery, url, secret, previousSecret }
  } catch (error) {
    // While the database is unavailable, the address cannot change either.
    log.warn(
      { event: 'webhook_target_read_failed', err: error, deliveryId: delivery.id },
      'failed to re-read webhook address',
    )
    return delivery
  }
}
