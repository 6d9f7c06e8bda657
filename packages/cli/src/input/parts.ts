/** Returns the entries in parts of at most `size`. */
export function inParts<T>(entries: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < entries.length; from += size) parts.push(entries.slice(from, from + size))
  return parts
}
