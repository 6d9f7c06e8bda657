import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs pieces of work one after the other, in the order in which they are given. Work inside of work runs at once. */
interface OneAtATime {
  <T>(work: () => Promise<T>): Promise<T>
  /** Whether the caller is such a piece of work. */
  isInside(): boolean
}

/** Makes a line of work. */
export function oneAtATime(): OneAtATime {
  const inside = new AsyncLocalStorage<true>()
  let last: Promise<unknown> = Promise.resolve()
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore()) return work()
    const run = () => inside.run(true, work)
    const result = last.then(run, run)
    last = result.catch(() => undefined)
    return result
  }
  return Object.assign(inLine, { isInside: () => inside.getStore() === true })
}
