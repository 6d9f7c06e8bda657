import { apiError } from '../errors.ts'

/** How many works run at once, how many may wait for their turn, and what the others are told. */
export interface SemaphoreOptions {
  readonly limit: number
  readonly maxQueued: number
  readonly retryAfterSeconds: number
}

/** Runs each work when it is its turn. Throws SERVICE_BUSY, and runs nothing, when too many wait already. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Makes a queue in this process: first come, first served. */
export function semaphore({ limit, maxQueued, retryAfterSeconds }: SemaphoreOptions): Semaphore {
  let running = 0
  const queue: (() => void)[] = []

  function acquire(): Promise<void> | undefined {
    if (running < limit) {
      running += 1
      return undefined
    }
    if (queue.length >= maxQueued) {
      throw apiError('SERVICE_BUSY', `Too many people sign in at this moment. Try again in ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      })
    }
    return new Promise((resolve) => queue.push(resolve))
  }

  return async (work) => {
    await acquire()
    try {
      return await work()
    } finally {
      const next = queue.shift()
      // The place goes to who waits longest; it is free only when nobody does.
      if (next) next()
      else running -= 1
    }
  }
}
