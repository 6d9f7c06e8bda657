import { childrenFirst, type Erasable } from '#upkeep/erasure/plan.ts'
import type { Movable } from './catalogue-store.ts'
import { isNeverMoved } from './column-classes.ts'

/** A table of the export. */
export interface MovedTable extends Movable {
  /** SQL condition that chooses the rows of the organization `:organizationId`. */
  readonly where: string
  /** SQL condition: whether the row `r` of a file belongs to the organization, so far as the row alone shows it. */
  readonly isOwn: string
  /** SQL expressions that are exported in place of columns. */
  readonly exported: Readonly<Record<string, string>>
  /**
   * Whether the database fills it by itself when the tables before it are loaded. Rows that it got in that way are
   * deleted before its own are loaded.
   */
  readonly isDerived: boolean
  /**
   * With a table whose rows let a person in, such as sessions and second factors: the column that names the person.
   * Rows of people who were in the other database before are not loaded.
   */
  readonly letsIn: string | null
}

/** The tables of an organization whose rows let the person of `user_id` in. */
const sessionTables = new Set(['account_links', 'sign_in_challenges', 'user_tokens'])

const members = 'select user_id from members where organization_id = :organizationId'

/**
 * Returns the tables with the rows of an organization, in the order in which they can be loaded: first the organization
 * and its people, then tables that others refer to or whose triggers fill others, then the rest. What lets people in
 * moves for members only.
 */
export function planMove(tables: readonly Movable[], erasable: readonly Erasable[]): MovedTable[] {
  const movable = new Map(tables.map((table) => [table.table, table]))
  const owned = childrenFirst(erasable).reverse()
  const referred = new Set(owned.flatMap(({ references }) => references.map(({ parent }) => parent)))
  const data = owned.flatMap(({ table, hasOrganization, references }): MovedTable[] => {
    const found = movable.get(table)
    if (!found || isNeverMoved(table)) return []
    const byParent = references.map(
      ({ column, parent, parentColumn }) =>
        `${column} in (select ${parentColumn} from ${parent} where organization_id = :organizationId)`,
    )
    return [
      {
        ...found,
        where: hasOrganization ? 'organization_id = :organizationId' : byParent.join(' or '),
        isOwn: hasOrganization
          ? 'r.organization_id = :organizationId'
          : byParent.map((condition) => `r.${condition}`).join(' or '),
        exported: {},
        isDerived: hasOrganization && !found.hasTriggers && !referred.has(table),
        letsIn: sessionTables.has(table) ? 'user_id' : null,
      },
    ]
  })
  const named = new Set(data.map(({ table }) => table))
  return [
    ...only(movable, 'organizations', { where: 'id = :organizationId', isOwn: 'r.id = :organizationId' }),
    ...only(movable, 'users', {
      where: `id in (${peopleOf(data)})`,
      exported: { password_hash: `case when id in (${members}) then password_hash end` },
    }),
    // What belongs to people alone, such as their second factor.
    ...tables
      .filter(({ table, people, hasOrganization }) => people.length > 0 && !hasOrganization && !named.has(table))
      .flatMap(({ table, people: [person = null] }) =>
        only(movable, table, { where: `${person} in (${members})`, letsIn: person }),
      ),
    ...data.filter(({ isDerived }) => !isDerived),
    ...data.filter(({ isDerived }) => isDerived),
  ]
}

function only(
  movable: ReadonlyMap<string, Movable>,
  table: string,
  plan: Pick<MovedTable, 'where'> & Partial<MovedTable>,
): MovedTable[] {
  const found = movable.get(table)
  return found ? [{ isOwn: 'true', exported: {}, isDerived: false, letsIn: null, ...found, ...plan }] : []
}

/** Returns the statement that lists the people to whom the rows of these tables refer. */
function peopleOf(tables: readonly Pick<MovedTable, 'table' | 'people' | 'where'>[]): string {
  return tables
    .flatMap(({ table, people, where }) => people.map((column) => `select ${column} from ${table} where ${where}`))
    .join(' union ')
}
