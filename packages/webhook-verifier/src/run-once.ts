import type { DeliveryFacts } from './events.ts'

/**
 * Remembers the deliveries that were handled. A `Set` fits; for several processes, a table or Redis with the delivery
 * id as key, kept for a day.
 */
export interface DuplicateStore {
  /** Whether this delivery was handled. */
  has(deliveryId: string): boolean | Promise<boolean>
  /** Notes that it was handled: called only after the handler has succeeded. */
  add(deliveryId: string): unknown
}

/**
 * Remembers the latest deliveries in this process, the oldest are forgotten first.
 *
 * @param maxEntries how many are remembered
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

/** Whether this delivery ran, or another one of the same event did. */
export type RunOutcome = 'handled' | 'duplicate'

/**
 * Runs `run` unless the event was handled before; deliveries of one event that come at the same time share one run. A
 * replay is asked for by a person, so it runs whatever the store says.
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
