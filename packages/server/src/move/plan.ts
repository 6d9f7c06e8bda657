import { childrenFirst, type Erasable } from '../erasure/plan.ts'
import type { Movable } from './catalogue-store.ts'

/** A table of the export, with the condition that chooses the rows of the organization `:organizationId`. */
export interface MovedTable extends Pick<Movable, 'table' | 'columns' | 'numbered' | 'people'> {
  readonly where: string
  /**
   * Whether the database fills it by itself when the tables before it are loaded. Rows that it got in that way are deleted
   * before its own are loaded.
   */
  readonly isDerived: boolean
  /** With a table that belongs to people and not to an organization: the column that names the person. */
  readonly ofPeople: string | null
}

/** Rows of these say what has become of an organization here. They do not move. */
const staying = new Set(['erasures'])

/**
 * Returns the tables with the rows of an organization, in the order in which they can be loaded: first the organization and
 * its people, then tables that others refer to or whose triggers fill others, then the rest.
 */
export function planMove(tables: readonly Movable[], erasable: readonly Erasable[]): MovedTable[] {
  const movable = new Map(tables.map((table) => [table.table, table]))
  const owned = childrenFirst(erasable).reverse()
  const referred = new Set(owned.flatMap(({ references }) => references.map(({ parent }) => parent)))
  const data = owned.flatMap(({ table, hasOrganization, references }) => {
    const found = movable.get(table)
    if (!found || staying.has(table)) return []
    const byParent = references.map(
      ({ column, parent, parentColumn }) =>
        `${column} in (select ${parentColumn} from ${parent} where organization_id = :organizationId)`,
    )
    const isDerived = hasOrganization && !found.hasTriggers && !referred.has(table)
    return [
      {
        ...found,
        isDerived,
        ofPeople: null,
        where: hasOrganization ? 'organization_id = :organizationId' : byParent.join(' or '),
      },
    ]
  })
  return [
    ...pick(movable, 'organizations', 'id = :organizationId'),
    ...pick(movable, 'users', `id in (${peopleOf(data)})`),
    // What belongs to people alone, such as their second factor.
    ...tables
      .filter(({ table, people, hasOrganization }) => people.length > 0 && !hasOrganization && !isNamed(data, table))
      .map((table) => {
        const ofPeople = table.people[0] ?? null
        return { ...table, isDerived: false, ofPeople, where: `${ofPeople} in (${peopleOf(data)})` }
      }),
    ...data.filter(({ isDerived }) => !isDerived),
    ...data.filter(({ isDerived }) => isDerived),
  ]
}

function pick(movable: ReadonlyMap<string, Movable>, table: string, where: string): MovedTable[] {
  const found = movable.get(table)
  return found ? [{ ...found, where, isDerived: false, ofPeople: null }] : []
}

function isNamed(tables: readonly { table: string }[], name: string): boolean {
  return tables.some(({ table }) => table === name)
}

/** Returns the statement that lists the people to whom the rows of these tables refer. */
function peopleOf(tables: readonly Pick<MovedTable, 'table' | 'people' | 'where'>[]): string {
  return tables
    .flatMap(({ table, people, where }) => people.map((column) => `select ${column} from ${table} where ${where}`))
    .join(' union ')
}
