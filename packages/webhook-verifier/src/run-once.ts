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

/** `handled`: this delivery ran. `duplicate`: it ran before, or another delivery of the same event did. */
export type RunOutcome = 'handled' | 'duplicate'

/**
 * Calls `run` unless the event was handled before. Concurrent deliveries of one event share one run. A replay was
 * requested, so it runs even if `store` has the event. The headers that say so are not signed, and anyone who records a
 * delivery can change them: the same signature never runs again.
 */
export function runOnce(
  { signature, deliveryId, replayed }: Pick<DeliveryFacts, 'signature' | 'deliveryId' | 'replayed'>,
  run: () => unknown,
  running: Map<string, Promise<RunOutcome>>,
  signatures: DuplicateStore,
  store: DuplicateStore | undefined,
): Promise<RunOutcome> {
  /** Calls `work` unless `known` has `key`, which it adds then, or `again` is true. */
  const once = async (
    known: DuplicateStore | undefined,
    key: string | null,
    work: () => Promise<RunOutcome>,
    again?: boolean,
  ): Promise<RunOutcome> => {
    if (!known || !key) return work()
    // `again` is undefined for signatures: an id that equals one must not wait for itself.
    const lock = `${again} ${key}`
    const current = running.get(lock)
    if (current) return current.then(() => 'duplicate')
    const attempt = async () => {
      if (!again && (await known.has(key))) return 'duplicate'
      const outcome = await work()
      await known.add(key)
      return outcome
    }
    const first = attempt().finally(() => running.delete(lock))
    running.set(lock, first)
    return first
  }
  const runEvent = async (): Promise<RunOutcome> => {
    await run()
    return 'handled'
  }
  return once(signatures, signature, () => once(store, deliveryId, runEvent, replayed))
}
