/** A table with the data of organizations, as the catalogue of Postgres describes it. */
export interface Erasable {
  readonly table: string
  /** Whether it names the organization of each row. */
  readonly hasOrganization: boolean
  /** Whether an index finds the rows of an organization. */
  readonly isIndexed: boolean
  /** Its references to rows of other tables with the data of organizations. */
  readonly references: readonly Reference[]
}

/** A column that refers to a column of another table. */
interface Reference {
  readonly column: string
  readonly parent: string
  readonly parentColumn: string
}

/**
 * One way to find rows of an organization in a table: by its id, or by rows of another table that are deleted later.
 */
export interface Step {
  readonly table: string
  readonly by: Reference | 'organization'
}

/**
 * Returns the steps that delete the data of an organization from all tables. Rows go before those they refer to, so
 * that no statement deletes more than it chose, and a table without an index on the organization is read whole only
 * once.
 */
export function planErasure(tables: readonly Erasable[]): Step[] {
  return childrenFirst(tables).flatMap(({ table, hasOrganization, isIndexed, references }) => [
    ...(isIndexed ? [] : references.map((by): Step => ({ table, by }))),
    ...(hasOrganization ? [{ table, by: 'organization' } as const] : []),
  ])
}

/** Sorts tables so that each comes before those it refers to. */
export function childrenFirst(tables: readonly Erasable[]): Erasable[] {
  const left = new Map(tables.map((table) => [table.table, table]))
  const sorted: Erasable[] = []
  while (left.size > 0) {
    const referred = new Set(
      [...left.values()].flatMap(({ table, references }) =>
        references.filter(({ parent }) => parent !== table).map(({ parent }) => parent),
      ),
    )
    const next = [...left.values()].filter(({ table }) => !referred.has(table))
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    for (const table of next) left.delete(table.table)
    sorted.push(...next)
  }
  return sorted
}
