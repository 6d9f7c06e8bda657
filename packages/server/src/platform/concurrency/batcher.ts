export interface BatcherOptions<In> {
  /** Items in one call at most. */
  readonly maxItems: number
  /** How long the first item of a batch waits for others; 0 for the present run of the event loop only. */
  readonly waitMs: number
  /** Calls that may run at once; one that takes longer than a second does not count any more. */
  readonly maxInFlight: number
  /** No batch holds two items of one name; the second waits for the next batch. */
  readonly conflictKey?: (item: In) => string
}

const slowCallMs = 1000

interface Waiting<In, Out> {
  readonly item: In
  resolve(result: Out): void
  reject(error: unknown): void
}

/**
 * Combines calls: items that arrive within a few milliseconds, or while earlier calls run, are handed to `run`
 * together. Each caller gets the result at the index of its item. When `run` throws, all of its callers do.
 */
export function batcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  options: BatcherOptions<In>,
): (item: In) => Promise<Out> {
  const { maxItems, waitMs, maxInFlight, conflictKey } = options
  let waiting: Waiting<In, Out>[] = []
  let inFlight = 0
  let scheduled = false

  function flush(): void {
    scheduled = false
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const [batch, remaining] = split(waiting, maxItems, conflictKey)
      waiting = remaining
      inFlight++
      void handOver(batch)
    }
  }

  async function handOver(batch: readonly Waiting<In, Out>[]): Promise<void> {
    const release = once(() => {
      inFlight--
      flush()
    })
    // Items that arrive while a call hangs need a call of their own, even if it fails because the database is busy.
    const late = setTimeout(release, slowCallMs).unref()
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Out)
    } catch (error) {
      for (const one of batch) one.reject(error)
    } finally {
      clearTimeout(late)
      release()
    }
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= maxItems) return flush()
      if (!scheduled) later(flush, waitMs)
      scheduled = true
    })
}

/**
 * Does the same for concurrent requests that share something, usually a database: `run` gets the shared `of` with the
 * items. Nothing is cached: a batch begins after its items arrived, so each sees what was committed before. Three calls
 * of 32 items run at once at most (the defaults): larger ones would let Postgres and this process wait for each other
 * in turn.
 */
export function sharedBatcher<Of extends object, In, Out>(
  run: (of: Of, items: readonly In[]) => Promise<readonly Out[]>,
  choices: Partial<Pick<BatcherOptions<In>, 'conflictKey' | 'maxInFlight'>> = {},
): (of: Of, item: In) => Promise<Out> {
  const batchers = new WeakMap<Of, (item: In) => Promise<Out>>()
  const options = { maxItems: 32, waitMs: 0, maxInFlight: 3, ...choices }
  return (of, item) => {
    const call = batchers.get(of) ?? batcher((items: readonly In[]) => run(of, items), options)
    batchers.set(of, call)
    return call(item)
  }
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}

/** Returns the next batch, in order, and the items that have to wait. */
function split<In, Out>(
  waiting: Waiting<In, Out>[],
  maxItems: number,
  apart: BatcherOptions<In>['conflictKey'],
): [Waiting<In, Out>[], Waiting<In, Out>[]] {
  if (!apart) return [waiting.slice(0, maxItems), waiting.slice(maxItems)]
  const names = new Set<string>()
  const batch: Waiting<In, Out>[] = []
  const remaining: Waiting<In, Out>[] = []
  for (const one of waiting) {
    const name = apart(one.item)
    const fits = batch.length < maxItems && !names.has(name)
    names.add(name)
    ;(fits ? batch : remaining).push(one)
  }
  return [batch, remaining]
}

/** A timer of 0 ms takes a whole millisecond in Node. */
function later(work: () => void, waitMs: number): void {
  if (waitMs === 0) setImmediate(work)
  else setTimeout(work, waitMs)
}
