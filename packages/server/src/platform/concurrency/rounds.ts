/**
 * Splits items into rounds that hold each key at most once: the first items of all keys, then the second ones, and so
 * on. Items of one key keep their order, and those of one round may be handled by one statement.
 */
export function toRounds<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const rounds: T[][] = []
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = keyOf(item)
    const nth = counts.get(key) ?? 0
    counts.set(key, nth + 1)
    const round = rounds[nth]
    if (round) round.push(item)
    else rounds.push([item])
  }
  return rounds
}

/** Splits items into parts of at most `size`, in their order. */
export function toParts<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/**
 * Splits items into parts, in their order, each when it is asked for. A part has at most `bound.items` items, whose
 * sizes have at most `bound.size` together; an item that is larger is a part of its own.
 */
export function* toPartsBySize<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  bound: { readonly items: number; readonly size: number },
): Generator<T[]> {
  let part: T[] = []
  let size = 0
  for (const item of items) {
    const own = sizeOf(item)
    if (part.length > 0 && (part.length === bound.items || size + own > bound.size)) {
      yield part
      part = []
      size = 0
    }
    part.push(item)
    size += own
  }
  if (part.length > 0) yield part
}

/** Groups items by a key, in the order of the first item of each group. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
