/** How many works may run at once, in all and of one owner, and how others wait. */
export interface PlaceBounds {
  readonly atOnce: number
  readonly perOwner: number
  readonly waiting: number
  readonly waitMs: number
  /** Places of their own for works that take longer than `afterMs`. Default: such works keep the place they have. */
  readonly slow?: { readonly atOnce: number; readonly afterMs: number }
}

const rememberedOwners = 1000

/** No place came free in time, or too many wait already. */
export class NoPlaceError extends Error {}

/** The place of one work. */
export interface Place {
  /** Aborts with a {@link NoPlaceError} when the work is slow and its place is needed for the slow work of another owner. */
  readonly signal: AbortSignal
  /** From now on the work runs to its end, however slow it is. */
  keep(): void
}

interface Waiter {
  readonly owner: string
  enter(): void
  refuse(why: string): void
}

interface Work {
  readonly owner: string
  readonly controller: AbortController
  kept: boolean
  slow: boolean
}

/**
 * Limits concurrency, in total and per owner. Owners whose latest work was not slow run first, then those with the fewest
 * works under way, then the earliest. Nobody waits longer than `waitMs`. A work that takes longer than `slow.afterMs` moves to a slow place, so that slow
 * works, of however many owners, never hold the other places for longer than that. When the slow places are full, the
 * owner with the most of them loses its oldest work; when too many wait, the owner with the most waiters loses its latest.
 */
export function places(bounds: PlaceBounds) {
  const held = new Map<string, number>()
  const waiters: Waiter[] = []
  /** In the order in which they became slow. */
  const slow = new Set<Work>()
  /** Owners whose latest work was slow. */
  const slowOwners = new Set<string>()
  let inside = 0

  const fits = (owner: string) => inside < bounds.atOnce && (held.get(owner) ?? 0) < bounds.perOwner

  function enter(owner: string): void {
    inside += 1
    held.set(owner, (held.get(owner) ?? 0) + 1)
  }

  function leave(owner: string): void {
    const left = (held.get(owner) ?? 1) - 1
    if (left === 0) held.delete(owner)
    else held.set(owner, left)
  }

  function admitNext(): void {
    const rank = (owner: string) => (slowOwners.has(owner) ? bounds.perOwner : 0) + (held.get(owner) ?? 0)
    const candidates = waiters.filter(({ owner }) => fits(owner))
    const lowest = Math.min(...candidates.map(({ owner }) => rank(owner)))
    candidates.find(({ owner }) => rank(owner) === lowest)?.enter()
  }

  /** Makes room for one more waiter of `owner`. Throws {@link NoPlaceError} when no other owner has more. */
  function makeRoom(owner: string): void {
    if (waiters.length < bounds.waiting) return
    const latest = ofLargestOwner(waiters.toReversed())
    const countOf = (one: string) => waiters.filter((waiter) => waiter.owner === one).length
    if (!latest || countOf(latest.owner) <= countOf(owner) + 1) throw new NoPlaceError('too many wait')
    latest.refuse('too many wait')
  }

  function turn(owner: string): Promise<void> {
    makeRoom(owner)
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        waiters.splice(waiters.indexOf(waiter), 1)
      }
      const waiter: Waiter = {
        owner,
        enter() {
          stopWaiting()
          enter(owner)
          resolve()
        },
        refuse(why) {
          stopWaiting()
          reject(new NoPlaceError(why))
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
    rememberSlow(work.owner)
    inside -= 1
    const evicted = slow.size > atOnce ? ofLargestOwner([...slow].filter(({ kept }) => !kept)) : undefined
    if (evicted) {
      slow.delete(evicted)
      evicted.controller.abort(new NoPlaceError('the slow places are full'))
    }
    admitNext()
  }

  function rememberSlow(owner: string): void {
    slowOwners.delete(owner)
    slowOwners.add(owner)
    const [oldest] = slowOwners
    if (slowOwners.size > rememberedOwners && oldest !== undefined) slowOwners.delete(oldest)
  }

  return {
    /** Runs `work` when there is a place for its owner. Throws {@link NoPlaceError}. */
    async within<T>(owner: string, work: (place: Place) => Promise<T>): Promise<T> {
      if (fits(owner)) enter(owner)
      else await turn(owner)
      const own: Work = { owner, controller: new AbortController(), kept: false, slow: false }
      const { afterMs, atOnce } = bounds.slow ?? { afterMs: 0, atOnce: 0 }
      const timer = bounds.slow && setTimeout(() => slowDown(own, atOnce), afterMs)
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
          inside -= 1
          slowOwners.delete(owner)
        }
        leave(owner)
        admitNext()
      }
    },
  }
}

/** The first item of the owner that has the most of them. */
function ofLargestOwner<T extends { readonly owner: string }>(items: readonly T[]): T | undefined {
  const counts = new Map<string, number>()
  for (const { owner } of items) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return items.find(({ owner }) => counts.get(owner) === most)
}
