export interface BatcherOptions {
  /** Items in one call at most. */
  readonly maxItems: number
  /** How long the first item of a batch waits for others; 0 for no longer than what is happening right now. */
  readonly waitMs: number
  /** Calls that may run at once. */
  readonly maxInFlight: number
}

interface Waiting<In, Out> {
  readonly item: In
  resolve(result: Out): void
  reject(error: unknown): void
}

/**
 * Makes one call of many: items that arrive within a few milliseconds, or while earlier calls run, are handed to `run`
 * together, and each caller gets the result at its own place. When `run` throws, all of its callers do.
 */
export function batcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  options: BatcherOptions,
): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let inFlight = 0
  let scheduled = false

  function flush(): void {
    scheduled = false
    while (waiting.length > 0 && inFlight < options.maxInFlight) {
      const batch = waiting.slice(0, options.maxItems)
      waiting = waiting.slice(options.maxItems)
      inFlight++
      void handOver(batch)
    }
  }

  async function handOver(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [place, one] of batch.entries()) one.resolve(results[place] as Out)
    } catch (error) {
      for (const one of batch) one.reject(error)
    } finally {
      inFlight--
      flush()
    }
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= options.maxItems) return flush()
      if (!scheduled) later(flush, options.waitMs)
      scheduled = true
    })
}

/** Node waits a whole millisecond for a timer of 0. */
function later(work: () => void, waitMs: number): void {
  if (waitMs === 0) setImmediate(work)
  else setTimeout(work, waitMs)
}
