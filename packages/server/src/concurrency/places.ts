/** How many may work at once, in all and of one owner, and how others wait. */
export interface PlaceBounds {
  readonly atOnce: number
  readonly perOwner: number
  readonly waiting: number
  readonly waitMs: number
}

/** No place came free in time, or too many wait already. */
export class NoPlaceError extends Error {}

interface Waiter {
  readonly owner: string
  enter(): void
}

/**
 * Lets a bounded number in at once; the others wait their turn, those before whose owner holds all that is his. Nobody
 * waits longer than `waitMs`.
 */
export function places(bounds: PlaceBounds) {
  const held = new Map<string, number>()
  const waiters: Waiter[] = []
  let inside = 0

  const fits = (owner: string) => inside < bounds.atOnce && (held.get(owner) ?? 0) < bounds.perOwner

  function enter(owner: string): void {
    inside += 1
    held.set(owner, (held.get(owner) ?? 0) + 1)
  }

  function leave(owner: string): void {
    inside -= 1
    const left = (held.get(owner) ?? 1) - 1
    if (left === 0) held.delete(owner)
    else held.set(owner, left)
    const next = waiters.findIndex((waiter) => fits(waiter.owner))
    if (next !== -1) waiters.splice(next, 1)[0]?.enter()
  }

  function turn(owner: string): Promise<void> {
    if (waiters.length >= bounds.waiting) throw new NoPlaceError('too many wait')
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        owner,
        enter() {
          clearTimeout(timer)
          enter(owner)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1)
        reject(new NoPlaceError('no place came free in time'))
      }, bounds.waitMs)
      waiters.push(waiter)
    })
  }

  return {
    /** Runs `work` when there is a place for its owner. Throws {@link NoPlaceError}. */
    async within<T>(owner: string, work: () => Promise<T>): Promise<T> {
      if (fits(owner)) enter(owner)
      else await turn(owner)
      try {
        return await work()
      } finally {
        leave(owner)
      }
    },
  }
}
