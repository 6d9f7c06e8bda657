import type { ListedDelivery, StoredAttempt } from './list-store.ts'

/** Returns a delivery as the API shows it. */
export function deliveryView(delivery: ListedDelivery) {
  return {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  }
}

/** Returns an attempt as the API shows it. */
export function attemptView({ at, status, durationMs, error, response }: StoredAttempt) {
  return { at, status, durationMs: durationMs ?? null, error, response: response ?? null }
}
