interface ReceiverQueue {
  running: number
  /** When an attempt ended last, or the first one began. */
  lastProgressAtMs: number
  readonly waiting: ((mayBegin: boolean) => void)[]
}

/**
 * Lets claimed deliveries of one process begin in their turn: of each organization no more at once than `cap` says. What
 * is claimed ahead waits here, so that a receiver that answers quickly never waits for the next claim.
 */
export function deliveryQueue(cap: (organizationId: string) => number) {
  const queues = new Map<string, ReceiverQueue>()
  let closed = false

  return {
    /** Resolves true when an attempt may begin, which {@link end} has to follow; false when it may not any more. */
    begin(organizationId: string): Promise<boolean> {
      if (closed) return Promise.resolve(false)
      const queue = queues.get(organizationId) ?? { running: 0, lastProgressAtMs: performance.now(), waiting: [] }
      queues.set(organizationId, queue)
      if (queue.running >= cap(organizationId)) return new Promise((resolve) => queue.waiting.push(resolve))
      queue.running += 1
      return Promise.resolve(true)
    },

    /** An attempt is over. The next ones begin; of a receiver that turned out slow none that waits does. */
    end(organizationId: string, slow: boolean): void {
      const queue = queues.get(organizationId)
      if (!queue) return
      queue.running -= 1
      queue.lastProgressAtMs = performance.now()
      if (slow) for (const refuse of queue.waiting.splice(0)) refuse(false)
      for (const next of queue.waiting.splice(0, Math.max(0, cap(organizationId) - queue.running))) {
        queue.running += 1
        next(true)
      }
      if (queue.running === 0) queues.delete(organizationId)
    },

    /** Refuses what waits behind attempts of which none has ended for so long; answers whose they are. */
    rejectStalled(silentMs: number): string[] {
      const before = performance.now() - silentMs
      const stalled = [...queues].filter(
        ([, { waiting, lastProgressAtMs }]) => waiting.length > 0 && lastProgressAtMs < before,
      )
      for (const [, { waiting }] of stalled) for (const refuse of waiting.splice(0)) refuse(false)
      return stalled.map(([organizationId]) => organizationId)
    },

    /** Lets nothing begin any more. */
    close(): void {
      closed = true
      for (const { waiting } of queues.values()) for (const refuse of waiting.splice(0)) refuse(false)
    },
  }
}
