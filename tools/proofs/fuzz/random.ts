/** Chance that repeats: the same seed gives the same sequence. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** True in `share` of the cases, from 0 to 1. */
  chance(share: number): boolean
  /** One of `values`, which must not be empty. */
  pick<T>(values: readonly T[]): T
}

/** Chance from a seed and the number of a request, so that each request can be made again without those before it. */
export function randomOf(seed: number, index: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)

  /** One step of mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    const once = Math.imul(state ^ (state >>> 15), state | 1)
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick(values) {
      if (values.length === 0) throw new Error('there is nothing to pick from')
      return values[below(values.length)] as (typeof values)[number]
    },
  }
}
