interface Line {
  running: number
  /** When an attempt ended last, or the first one began. */
  movedAtMs: number
  readonly waiting: ((mayBegin: boolean) => void)[]
}

/**
 * Lets claimed deliveries of one process begin in their turn: of each organization no more at once than `cap` says. What
 * is claimed ahead waits here, so that a receiver that answers quickly never waits for the next claim.
 */
export function deliveryTurns(cap: (organizationId: string) => number) {
  const lines = new Map<string, Line>()
  let closed = false

  return {
    /** Resolves true when an attempt may begin, which {@link end} has to follow; false when it may not any more. */
    begin(organizationId: string): Promise<boolean> {
      if (closed) return Promise.resolve(false)
      const line = lines.get(organizationId) ?? { running: 0, movedAtMs: performance.now(), waiting: [] }
      lines.set(organizationId, line)
      if (line.running >= cap(organizationId)) return new Promise((resolve) => line.waiting.push(resolve))
      line.running += 1
      return Promise.resolve(true)
    },

    /** An attempt is over. The next ones begin; of a receiver that turned out slow none that waits does. */
    end(organizationId: string, slow: boolean): void {
      const line = lines.get(organizationId)
      if (!line) return
      line.running -= 1
      line.movedAtMs = performance.now()
      if (slow) for (const refuse of line.waiting.splice(0)) refuse(false)
      for (const next of line.waiting.splice(0, Math.max(0, cap(organizationId) - line.running))) {
        line.running += 1
        next(true)
      }
      if (line.running === 0) lines.delete(organizationId)
    },

    /** Refuses what waits behind attempts of which none has ended for so long; answers whose they are. */
    refuseBehind(silentMs: number): string[] {
      const before = performance.now() - silentMs
      const stuck = [...lines].filter(([, { waiting, movedAtMs }]) => waiting.length > 0 && movedAtMs < before)
      for (const [, { waiting }] of stuck) for (const refuse of waiting.splice(0)) refuse(false)
      return stuck.map(([organizationId]) => organizationId)
    },

    /** Lets nothing begin any more. */
    close(): void {
      closed = true
      for (const { waiting } of lines.values()) for (const refuse of waiting.splice(0)) refuse(false)
    },
  }
}
