export interface BatcherOptions<In> {
  /** Items in one call at most. */
  readonly maxItems: number
  /** How long the first item of a batch waits for others; 0 for no longer than what is happening right now. */
  readonly waitMs: number
  /** Calls that may run at once; one that takes longer than a second does not hold up the next ones any more. */
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
 * Makes one call of many: items that arrive within a few milliseconds, or while earlier calls run, are handed to `run`
 * together, and each caller gets the result at its own place. When `run` throws, all of its callers do.
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
      const [batch, rest] = split(waiting, maxItems, conflictKey)
      waiting = rest
      inFlight++
      void handOver(batch)
    }
  }

  async function handOver(batch: readonly Waiting<In, Out>[]): Promise<void> {
    const leave = once(() => {
      inFlight--
      flush()
    })
    // Whoever comes while a call hangs must get an answer of its own, be it that the database is busy.
    const late = setTimeout(leave, slowCallMs).unref()
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [place, one] of batch.entries()) one.resolve(results[place] as Out)
    } catch (error) {
      for (const one of batch) one.reject(error)
    } finally {
      clearTimeout(late)
      leave()
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
 * The same for what many requests of this process ask at one moment, often of one database: `run` is handed the `of` that
 * they have in common, with their items. Nothing is kept: a batch begins after its items arrived, so each sees what was
 * committed before it asked. Two calls at most run at once, unless told.
 */
export function sharedBatcher<Of extends object, In, Out>(
  run: (of: Of, items: readonly In[]) => Promise<readonly Out[]>,
  choices: Partial<Pick<BatcherOptions<In>, 'conflictKey' | 'maxInFlight'>> = {},
): (of: Of, item: In) => Promise<Out> {
  const batchers = new WeakMap<Of, (item: In) => Promise<Out>>()
  const options = { maxItems: 200, waitMs: 0, maxInFlight: 2, ...choices }
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

/** The next batch, in order, and what has to wait. */
function split<In, Out>(
  waiting: Waiting<In, Out>[],
  maxItems: number,
  apart: BatcherOptions<In>['conflictKey'],
): [Waiting<In, Out>[], Waiting<In, Out>[]] {
  if (!apart) return [waiting.slice(0, maxItems), waiting.slice(maxItems)]
  const names = new Set<string>()
  const batch: Waiting<In, Out>[] = []
  const rest: Waiting<In, Out>[] = []
  for (const one of waiting) {
    const name = apart(one.item)
    const fits = batch.length < maxItems && !names.has(name)
    names.add(name)
    ;(fits ? batch : rest).push(one)
  }
  return [batch, rest]
}

/** Node waits a whole millisecond for a timer of 0. */
function later(work: () => void, waitMs: number): void {
  if (waitMs === 0) setImmediate(work)
  else setTimeout(work, waitMs)
}
