/** How many works may run at once, in all and of one key, and how others wait. */
export interface SemaphoreBounds {
  readonly limit: number
  readonly perKey: number
  readonly maxQueued: number
  readonly waitMs: number
  /** Places of their own for works that take longer than `afterMs`. Default: such works keep the place they have. */
  readonly slow?: { readonly limit: number; readonly afterMs: number }
}

const rememberedKeys = 1000

/** No place came free in time, or too many wait already. */
export class SemaphoreTimeoutError extends Error {}

/** The place of one work. */
export interface Place {
  /** Aborts with a {@link SemaphoreTimeoutError} when the work is slow and its place is needed for the slow work of another key. */
  readonly signal: AbortSignal
  /** From now on the work runs to its end, however slow it is. */
  keep(): void
}

interface Waiter {
  readonly key: string
  grant(): void
  refuse(why: string): void
}

interface Work {
  readonly key: string
  readonly controller: AbortController
  kept: boolean
  slow: boolean
}

/**
 * Limits concurrency, in total and per key. Keys whose latest work was not slow run first, then those with the fewest
 * works under way, then the earliest. Nobody waits longer than `waitMs`. A work that takes longer than `slow.afterMs` moves to a slow place, so that slow
 * works, of however many keys, never hold the other places for longer than that. When the slow places are full, the
 * key with the most of them loses its oldest work; when too many wait, the key with the most waiters loses its latest.
 */
export function keyedSemaphore(bounds: SemaphoreBounds) {
  const held = new Map<string, number>()
  const waiters: Waiter[] = []
  /** In the order in which they became slow. */
  const slow = new Set<Work>()
  /** Keys whose latest work was slow. */
  const slowKeys = new Set<string>()
  let running = 0

  const fits = (key: string) => running < bounds.limit && (held.get(key) ?? 0) < bounds.perKey

  function acquire(key: string): void {
    running += 1
    held.set(key, (held.get(key) ?? 0) + 1)
  }

  function release(key: string): void {
    const left = (held.get(key) ?? 1) - 1
    if (left === 0) held.delete(key)
    else held.set(key, left)
  }

  function admitNext(): void {
    const rank = (key: string) => (slowKeys.has(key) ? bounds.perKey : 0) + (held.get(key) ?? 0)
    const candidates = waiters.filter(({ key }) => fits(key))
    const lowest = Math.min(...candidates.map(({ key }) => rank(key)))
    candidates.find(({ key }) => rank(key) === lowest)?.grant()
  }

  /** Makes room for one more waiter of `key`. Throws {@link SemaphoreTimeoutError} when no other key has more. */
  function makeRoom(key: string): void {
    if (waiters.length < bounds.maxQueued) return
    const latest = ofLargestKey(waiters.toReversed())
    const countOf = (one: string) => waiters.filter((waiter) => waiter.key === one).length
    if (!latest || countOf(latest.key) <= countOf(key) + 1) throw new SemaphoreTimeoutError('too many wait')
    latest.refuse('too many wait')
  }

  function waitForPermit(key: string): Promise<void> {
    makeRoom(key)
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        waiters.splice(waiters.indexOf(waiter), 1)
      }
      const waiter: Waiter = {
        key,
        grant() {
          stopWaiting()
          acquire(key)
          resolve()
        },
        refuse(why) {
          stopWaiting()
          reject(new SemaphoreTimeoutError(why))
        },
      }
      const timer = setTimeout(() => waiter.refuse('no place came free in time'), bounds.waitMs)
      waiters.push(waiter)
    })
  }

  /** Moves a work to the slow places, and ends one of them when there are too many. */
  function slowDown(work: Work, atOnce: number): void {
    work.slow = true
    slow.add(work)
    rememberSlow(work.key)
    running -= 1
    const evicted = slow.size > atOnce ? ofLargestKey([...slow].filter(({ kept }) => !kept)) : undefined
    if (evicted) {
      slow.delete(evicted)
      evicted.controller.abort(new SemaphoreTimeoutError('the slow places are full'))
    }
    admitNext()
  }

  function rememberSlow(key: string): void {
    slowKeys.delete(key)
    slowKeys.add(key)
    const [oldest] = slowKeys
    if (slowKeys.size > rememberedKeys && oldest !== undefined) slowKeys.delete(oldest)
  }

  return {
    /** Runs `work` when there is a place for its key. Throws {@link SemaphoreTimeoutError}. */
    async run<T>(key: string, work: (place: Place) => Promise<T>): Promise<T> {
      if (fits(key)) acquire(key)
      else await waitForPermit(key)
      const own: Work = { key, controller: new AbortController(), kept: false, slow: false }
      const { afterMs, limit } = bounds.slow ?? { afterMs: 0, limit: 0 }
      const timer = bounds.slow && setTimeout(() => slowDown(own, limit), afterMs)
      try {
        return await work({
          signal: own.controller.signal,
          keep: () => {
            own.kept = true
          },
        })
      } finally {
        clearTimeout(timer)
        if (own.slow) slow.delete(own)
        else {
          running -= 1
          slowKeys.delete(key)
        }
        release(key)
        admitNext()
      }
    },
  }
}

/** The first item of the key that has the most of them. */
function ofLargestKey<T extends { readonly key: string }>(items: readonly T[]): T | undefined {
  const counts = new Map<string, number>()
  for (const { key } of items) counts.set(key, (counts.get(key) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return items.find(({ key }) => counts.get(key) === most)
}
