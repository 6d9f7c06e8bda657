/** Bounds of a semaphore; what is left out has no bound. */
export interface SemaphoreOptions {
  /** Permits in all. */
  readonly limit?: number
  /** Permits of one key. Call `admit` after it has grown. */
  readonly limitPerKey?: (key: string) => number
  /** Tasks that may wait in all. Beyond that, the key with the most waiting tasks loses its latest. */
  readonly maxQueued?: number
  /** Tasks of one key that may wait. */
  readonly maxQueuedPerKey?: number
  /** How long a task waits at most. */
  readonly queueTimeoutMs?: number
  /** The key with the lowest rank is admitted first. Default: the task that waits longest. */
  readonly rank?: (key: string) => number
}

/** Thrown when too many tasks wait already. */
export class SemaphoreFull extends Error {}

/** Thrown when no permit became free within the time a task may wait. */
export class SemaphoreTimeout extends Error {}

/** Bounds how many tasks of this process run concurrently, in all and for each key. */
export interface Semaphore {
  /** Runs `task` with a permit of `key`. Throws {@link SemaphoreFull} and {@link SemaphoreTimeout}. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Resolves when a permit is taken, which {@link release} has to give back. Throws as `run` does. */
  acquire(key: string): Promise<void>
  /** Gives back a permit of `key` and admits waiting tasks. */
  release(key: string): void
  /** Admits waiting tasks after a limit has grown. */
  admit(): void
  /** Rejects all waiting tasks of `key` with `error`. */
  rejectQueued(key: string, error: Error): void
  /** Returns the number of permits that `key` has taken. */
  running(key: string): number
  /** Returns the number of waiting tasks of `key`. */
  queued(key: string): number
}

interface Waiter {
  readonly position: number
  grant(): void
  reject(error: Error): void
}

interface KeyState {
  running: number
  readonly queue: Waiter[]
}

/** Creates a semaphore. Waiting tasks run in the order in which they came; keys that are at their limit are skipped. */
export function semaphore(options: SemaphoreOptions): Semaphore {
  const { limit = Number.POSITIVE_INFINITY, limitPerKey = () => Number.POSITIVE_INFINITY, rank } = options
  const { maxQueued = Number.POSITIVE_INFINITY, maxQueuedPerKey = Number.POSITIVE_INFINITY, queueTimeoutMs } = options
  const keys = new Map<string, KeyState>()
  let running = 0
  let queued = 0
  let position = 0

  function stateFor(key: string): KeyState {
    const state = keys.get(key) ?? { running: 0, queue: [] }
    keys.set(key, state)
    return state
  }

  function hasPermit(key: string, state: KeyState): boolean {
    return running < limit && state.running < limitPerKey(key)
  }

  function take(state: KeyState): void {
    running += 1
    state.running += 1
  }

  /** Returns the first waiting task of the key that is next, of those below their limits. */
  function findNext(): Waiter | undefined {
    let next: { readonly waiter: Waiter; readonly rank: number } | undefined
    for (const [key, state] of keys) {
      const [waiter] = state.queue
      if (!waiter || !hasPermit(key, state)) continue
      const one = { waiter, rank: rank?.(key) ?? 0 }
      const isFirst =
        !next || one.rank < next.rank || (one.rank === next.rank && waiter.position < next.waiter.position)
      if (isFirst) next = one
    }
    return next?.waiter
  }

  function admit(): void {
    while (queued > 0 && running < limit) {
      const next = findNext()
      if (!next) return
      next.grant()
    }
  }

  /**
   * Makes space for one more waiting task of `key`. Throws {@link SemaphoreFull} when no other key has more of them.
   */
  function requireQueueSpace(state: KeyState): void {
    if (state.queue.length >= maxQueuedPerKey) throw new SemaphoreFull('Too many tasks of this key wait already.')
    if (queued < maxQueued) return
    const full = new SemaphoreFull('Too many tasks wait already.')
    const largest = largestQueue(keys.values())
    if (!largest || largest.length <= state.queue.length + 1) throw full
    largest.at(-1)?.reject(full)
  }

  function enqueue(state: KeyState): Promise<void> {
    requireQueueSpace(state)
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const leave = () => {
        clearTimeout(timer)
        queued -= 1
        state.queue.splice(state.queue.indexOf(waiter), 1)
      }
      const waiter: Waiter = {
        position: position++,
        grant() {
          leave()
          take(state)
          resolve()
        },
        reject(error) {
          leave()
          reject(error)
        },
      }
      if (queueTimeoutMs !== undefined) {
        timer = setTimeout(() => waiter.reject(new SemaphoreTimeout('No permit became free in time.')), queueTimeoutMs)
      }
      state.queue.push(waiter)
      queued += 1
    })
  }

  async function acquire(key: string): Promise<void> {
    const state = stateFor(key)
    try {
      if (hasPermit(key, state)) take(state)
      else await enqueue(state)
    } finally {
      deleteIdle(key, state)
    }
  }

  function deleteIdle(key: string, state: KeyState): void {
    const isIdle = state.running === 0 && state.queue.length === 0
    if (isIdle && keys.get(key) === state) keys.delete(key)
  }

  function release(key: string): void {
    const state = keys.get(key)
    if (!state || state.running === 0) throw new Error(`No permit of ${key} is taken.`)
    const wasSaturated = running >= limit
    running -= 1
    state.running -= 1
    // With free permits all along, the other keys wait for their own limits, which have not changed.
    if (wasSaturated) admit()
    else while (state.queue.length > 0 && hasPermit(key, state)) state.queue[0]?.grant()
    deleteIdle(key, state)
  }

  return {
    async run(key, task) {
      await acquire(key)
      try {
        return await task()
      } finally {
        release(key)
      }
    },
    acquire,
    release,
    admit,
    rejectQueued(key, error) {
      for (const waiter of [...(keys.get(key)?.queue ?? [])]) waiter.reject(error)
    },
    running: (key) => keys.get(key)?.running ?? 0,
    queued: (key) => keys.get(key)?.queue.length ?? 0,
  }
}

function largestQueue(states: Iterable<KeyState>): readonly Waiter[] | undefined {
  let largest: readonly Waiter[] | undefined
  for (const { queue } of states) {
    if (queue.length > (largest?.length ?? 0)) largest = queue
  }
  return largest
}
