/** A row with its id. */
interface Identified {
  readonly id: string
}

/**
 * Returns a long list with its first page as it is now: rows that changed are replaced, new ones come first. Returns
 * null when so many are new that there may be others between them and the list.
 */
export function withNewest<T extends Identified>(rows: readonly T[], newest: readonly T[]): readonly T[] | null {
  const current = new Map(newest.map((row) => [row.id, row]))
  const known = new Set<string>()
  const updated = rows.map((row) => {
    const now = current.get(row.id)
    if (now === undefined) return row
    known.add(row.id)
    return now
  })
  if (known.size === 0 && newest.length > 0 && rows.length > 0) return null
  return [...newest.filter(({ id }) => !known.has(id)), ...updated]
}
