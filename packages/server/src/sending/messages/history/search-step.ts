const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How far a search of a history has come, newest first. */
export interface SearchProgress {
  /** The messages that were searched. */
  readonly searched: number
  /** Those of them that match. */
  readonly found: number
  /** The matches that are wanted. */
  readonly wanted: number
  /** When the newest and the oldest of the searched messages were accepted, in milliseconds since 1970. */
  readonly newestMs: number
  readonly oldestMs: number
  /** Whether the index of trigrams finds the text. */
  readonly isIndexed: boolean
  /** So many messages are searched at most when it does not. */
  readonly bound: number
}

/** The unit of time by which the index of texts is led. */
export type TimeUnit = 'hour' | 'day'

/**
 * How a search continues: it reads some messages in their order, or looks up those of some units of time, or all that
 * are left. Or it ends before the oldest message.
 */
export type SearchStep =
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'lookUp'; readonly unit: TimeUnit; readonly startsMs: readonly number[] }
  | { readonly kind: 'lookUpRest' }
  | { readonly kind: 'end' }

/** From this share of matches on, reading messages in their order finds enough of them sooner than the index. */
const frequent = 0.05
const mostRead = 20_000
/** A search that the index does not help reads so many messages: it takes 50 ms. */
export const mostSearched = 100_000
/** The messages of a step while nothing was found. */
const probe = 64_000
const mostUnits = 32
/** The messages of a step, against those that are expected to be necessary. */
const reserve = 1.25

/**
 * Returns how a search continues that has found too little. The share of matches so far says how many messages are
 * necessary, and their times how far back these lead.
 */
export function planStep({
  searched,
  found,
  wanted,
  newestMs,
  oldestMs,
  isIndexed,
  bound,
}: SearchProgress): SearchStep {
  const share = (found + 1) / searched
  const needed = ((wanted - found) / share) * reserve
  if (!isIndexed && searched >= bound) return { kind: 'end' }
  if (!isIndexed || share >= frequent) return { kind: 'read', count: Math.min(mostRead, Math.ceil(needed)) }
  if (found === 0 && searched >= probe) return { kind: 'lookUpRest' }
  // At least a millisecond, so that the next hour is looked up where the last message is the first of its hour.
  const spanMs = Math.max(1, ((newestMs - oldestMs) * (found === 0 ? probe : needed)) / searched)
  if (spanMs <= mostUnits * hourMs) return { kind: 'lookUp', unit: 'hour', startsMs: starts(hourMs) }
  if (spanMs <= mostUnits * dayMs) return { kind: 'lookUp', unit: 'day', startsMs: starts(dayMs) }
  return { kind: 'lookUpRest' }

  /** The unit in which the last searched message is, and those before it. */
  function starts(unitMs: number): number[] {
    const last = Math.floor(oldestMs / unitMs)
    const first = Math.floor((oldestMs - spanMs) / unitMs)
    return Array.from({ length: last - first + 1 }, (_, n) => (last - n) * unitMs)
  }
}

/**
 * Returns whether the index of trigrams finds what contains `part`. It needs three letters or digits in a row, the
 * beginning of a word, which counts as two, or two at the end of one.
 */
export function hasTrigram(part: string): boolean {
  return /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(part)
}
