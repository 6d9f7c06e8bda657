import { apiError } from '../errors.ts'

/** How many works run at once, how many may wait for their turn, and what the others are told. */
export interface TurnsOptions {
  readonly atOnce: number
  readonly mayWait: number
  readonly retryAfterSeconds: number
}

/** Runs each work when it is its turn. Throws SERVICE_BUSY, and runs nothing, when too many wait already. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Makes a queue in this process: first come, first served. */
export function takeTurns({ atOnce, mayWait, retryAfterSeconds }: TurnsOptions): Turns {
  let running = 0
  const waiting: (() => void)[] = []

  function turn(): Promise<void> | undefined {
    if (running < atOnce) {
      running += 1
      return undefined
    }
    if (waiting.length >= mayWait) {
      throw apiError('SERVICE_BUSY', `Too many people sign in at this moment. Try again in ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      })
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  return async (work) => {
    await turn()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place goes to who waits longest; it is free only when nobody does.
      if (next) next()
      else running -= 1
    }
  }
}
