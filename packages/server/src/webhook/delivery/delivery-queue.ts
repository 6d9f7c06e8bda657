import { semaphore } from '../../concurrency/semaphore.ts'

const refused = new Error('The delivery may not begin any more.')

/**
 * Admits claimed deliveries of one process: of each endpoint no more at once than `cap` returns. Deliveries claimed
 * ahead wait here, so that a receiver that responds quickly never waits for the next claim.
 */
export function deliveryQueue(cap: (endpointId: string) => number) {
  const permits = semaphore({ limitPerKey: cap })
  /** When an attempt of each endpoint with attempts ended last, or the first one began. */
  const progressAtMs = new Map<string, number>()
  let closed = false

  function rejectQueued(endpointId: string): void {
    permits.rejectQueued(endpointId, refused)
  }

  return {
    /** Resolves true when an attempt may begin; {@link end} must follow it. Resolves false if the delivery was rejected. */
    begin(endpointId: string): Promise<boolean> {
      if (closed) return Promise.resolve(false)
      if (!progressAtMs.has(endpointId)) progressAtMs.set(endpointId, performance.now())
      return permits.acquire(endpointId).then(
        () => true,
        () => false,
      )
    },

    /** Ends an attempt. The next ones begin, except those for a receiver that turned out slow. */
    end(endpointId: string, slow: boolean): void {
      progressAtMs.set(endpointId, performance.now())
      if (slow) rejectQueued(endpointId)
      permits.release(endpointId)
      if (permits.running(endpointId) === 0) progressAtMs.delete(endpointId)
    },

    /** Rejects what waits behind attempts of which none has ended for `silentMs`; returns their endpoints. */
    rejectStalled(silentMs: number): string[] {
      const before = performance.now() - silentMs
      const stalled = [...progressAtMs].filter(([id, atMs]) => atMs < before && permits.queued(id) > 0)
      for (const [endpointId] of stalled) rejectQueued(endpointId)
      return stalled.map(([endpointId]) => endpointId)
    },

    /** Rejects what waits, and everything that comes. */
    close(): void {
      closed = true
      for (const endpointId of progressAtMs.keys()) rejectQueued(endpointId)
    },
  }
}
