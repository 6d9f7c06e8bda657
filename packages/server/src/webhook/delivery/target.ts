import { sharedBatcher } from '../../concurrency/batcher.ts'
import type { Db } from '../../db/db.ts'
import type { Services } from '../../services.ts'
import { findTargets, type Target } from '../configuration/store.ts'
import type { ClaimedDelivery } from './delivery-store.ts'

/** How long the address and the secrets that a claim read are good for. */
const freshForMs = 250

const askForTarget = sharedBatcher(
  async (db: Db, organizationIds: readonly string[]): Promise<(Target | undefined)[]> => {
    const found = new Map((await findTargets(db, organizationIds)).map((target) => [target.organizationId, target]))
    return organizationIds.map((organizationId) => found.get(organizationId))
  },
)

/**
 * The delivery with the address and the secrets as they are now, when it waited for its turn since it was claimed: a new
 * secret signs at once, and nothing is posted to an address that was replaced. Never throws.
 */
export async function withPresentTarget(
  { db, log }: Pick<Services, 'db' | 'log'>,
  delivery: ClaimedDelivery,
  waitedMs: number,
): Promise<ClaimedDelivery> {
  if (waitedMs <= freshForMs) return delivery
  try {
    const { url, secret, previousSecret } = (await askForTarget(db, delivery.organizationId)) ?? delivery
    return { ...delivery, url, secret, previousSecret }
  } catch (error) {
    // While the database is away nobody can change them either.
    log.warn({ err: error, deliveryId: delivery.id }, 'the webhook address could not be read again')
    return delivery
  }
}
