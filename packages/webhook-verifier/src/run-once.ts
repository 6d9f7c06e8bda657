import type { DeliveryFacts } from './events.ts'

/**
 * Remembers the deliveries that were handled. A `Set` is one; for several processes, use a table or Redis with the
 * delivery id as the key and keep entries for a day.
 */
export interface DuplicateStore {
  /** Returns whether this delivery was handled. */
  has(deliveryId: string): boolean | Promise<boolean>
  /** Records a handled delivery. Called only after the handler has succeeded. */
  add(deliveryId: string): unknown
}

/**
 * Creates a store in the memory of this process. It drops the oldest deliveries first.
 *
 * @param maxEntries the number of deliveries that are remembered
 */
export function memoryStore(maxEntries = 10_000): DuplicateStore {
  const seen = new Set<string>()
  return {
    has: (deliveryId) => seen.has(deliveryId),
    add(deliveryId) {
      seen.add(deliveryId)
      const [oldest] = seen
      if (oldest && seen.size > maxEntries) seen.delete(oldest)
    },
  }
}

/** `handled`: this delivery ran. `duplicate`: another delivery of the same event ran. */
export type RunOutcome = 'handled' | 'duplicate'

/**
 * Calls `run` unless the event was handled before. Concurrent deliveries of one event share one run. A replay was
 * requested, so it runs even if the store has the event.
 */
export async function runOnce(
  { deliveryId, replayed }: Pick<DeliveryFacts, 'deliveryId' | 'replayed'>,
  run: () => unknown,
  running: Map<string, Promise<RunOutcome>>,
  store: DuplicateStore | undefined,
): Promise<RunOutcome> {
  if (!store || !deliveryId) {
    await run()
    return 'handled'
  }
  const attempt = async () => {
    if (!replayed && (await store.has(deliveryId))) return 'duplicate'
    await run()
    await store.add(deliveryId)
    return 'handled'
  }
  const key = `${replayed} ${deliveryId}`
  const current = running.get(key)
  if (current) return current.then(() => 'duplicate')
  const first = attempt().finally(() => running.delete(key))
  running.set(key, first)
  return first
}
