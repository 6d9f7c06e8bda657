import { semaphore } from '../../concurrency/semaphore.ts'

const refused = new Error('The delivery may not begin any more.')

/**
 * Admits claimed deliveries of one process: of each organization no more at once than `cap` returns. Deliveries claimed
 * ahead wait here, so that a receiver that responds quickly never waits for the next claim.
 */
export function deliveryQueue(cap: (organizationId: string) => number) {
  const permits = semaphore({ limitPerKey: cap })
  /** When an attempt of each organization with attempts ended last, or the first one began. */
  const progressAtMs = new Map<string, number>()
  let closed = false

  function rejectQueued(organizationId: string): void {
    permits.rejectQueued(organizationId, refused)
  }

  return {
    /** Resolves true when an attempt may begin; {@link end} must follow it. Resolves false if the delivery was rejected. */
    begin(organizationId: string): Promise<boolean> {
      if (closed) return Promise.resolve(false)
      if (!progressAtMs.has(organizationId)) progressAtMs.set(organizationId, performance.now())
      return permits.acquire(organizationId).then(
        () => true,
        () => false,
      )
    },

    /** Ends an attempt. The next ones begin, except those for a receiver that turned out slow. */
    end(organizationId: string, slow: boolean): void {
      progressAtMs.set(organizationId, performance.now())
      if (slow) rejectQueued(organizationId)
      permits.release(organizationId)
      if (permits.running(organizationId) === 0) progressAtMs.delete(organizationId)
    },

    /** Rejects what waits behind attempts of which none has ended for `silentMs`; returns their organizations. */
    rejectStalled(silentMs: number): string[] {
      const before = performance.now() - silentMs
      const stalled = [...progressAtMs].filter(([id, atMs]) => atMs < before && permits.queued(id) > 0)
      for (const [organizationId] of stalled) rejectQueued(organizationId)
      return stalled.map(([organizationId]) => organizationId)
    },

    /** Rejects what waits, and everything that comes. */
    close(): void {
      closed = true
      for (const organizationId of progressAtMs.keys()) rejectQueued(organizationId)
    },
  }
}
