import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { hasAdded } from './catalogue-store.ts'
import { parseLine } from './file.ts'
import type { MovedTable } from './plan.ts'
import { countStrangers, deleteRows, insertRows, type Loading } from './row-store.ts'

/** Rows of one statement, and the most characters of them. */
const batch = { rows: 500, characters: 8_000_000 }

/** Returns the start of a load: nothing of the file is here yet. */
export function beginLoading(organizationId: string, tables: readonly MovedTable[]): Loading {
  const known = tables.filter(({ hasId, hasOrganization }) => hasId && hasOrganization).map(({ table }) => table)
  return { organizationId, known, people: [], newPeople: [] }
}

/**
 * Loads the rows of all tables, which come in the order of the plan of this database. Returns how many rows there were.
 * Throws {@link Refusal} when a row is not the organization's own, and when the file is incomplete.
 */
export async function loadTables(
  trx: Db,
  organizationId: string,
  tables: readonly MovedTable[],
  lines: AsyncGenerator<string>,
): Promise<number> {
  let loading = beginLoading(organizationId, tables)
  let stored = 0
  let position = -1
  let waiting: string[] = []
  let characters = 0
  const flush = async () => {
    const table = tables[position]
    if (waiting.length === 0) return
    if (!table) throw foreignFile('rows before its first table')
    loading = await loadRows(trx, loading, table, waiting)
    stored += waiting.length
    waiting = []
    characters = 0
  }
  for await (const line of lines) {
    const parsed = parseLine(line)
    if (parsed === 'unknown') throw foreignFile('lines that no export writes')
    if (parsed === 'row') {
      waiting.push(line)
      characters += line.length
      if (waiting.length === batch.rows || characters > batch.characters) await flush()
      continue
    }
    await flush()
    position += 1
    const table = tables[position]
    if ('rows' in parsed) {
      if (table || parsed.rows !== stored) break
      await requireOwnPeople(trx, loading, tables)
      // The end of the file is authenticated when it is read.
      if (!(await lines.next()).done) throw foreignFile('lines behind its end')
      return stored
    }
    if (!table || parsed.table !== position) throw foreignFile('tables in another order than this database')
    if (table.isDerived && (await hasAdded(trx, table.table))) await deleteRows(trx, organizationId, table.table)
  }
  throw new Refusal('The file is incomplete. Export again.')
}

/**
 * Adds rows to a table. Returns what later rows may refer to. Throws {@link Refusal} unless each row is the
 * organization's own.
 */
export async function loadRows(
  trx: Db,
  loading: Loading,
  table: MovedTable,
  lines: readonly string[],
): Promise<Loading> {
  const { given, own, foreign, people, newPeople } = await insertRows(trx, loading, table, lines)
  if (given !== lines.length) throw foreignFile(`lines of ${table.table} that are not one row each`)
  if (own !== given) throw foreignFile(`rows of ${table.table} that are not the organization’s`)
  if (foreign !== null) throw foreignFile(`${foreign} in ${table.table}, which is another organization’s here`)
  return {
    ...loading,
    people: [...loading.people, ...(people ?? [])],
    newPeople: [...loading.newPeople, ...(newPeople ?? [])],
  }
}

/** Requires that the rows of the organization name all people of the file, and that only its members can sign in. */
async function requireOwnPeople(trx: Db, loading: Loading, tables: readonly MovedTable[]): Promise<void> {
  const users = tables.find(({ table }) => table === 'users')
  if (!users) throw new Error('the plan of a move has no people')
  const strangers = await countStrangers(trx, loading, users)
  if (strangers > 0) throw foreignFile(`${strangers} people who do not belong to the organization`)
}

/** Returns the refusal of a file that holds something that no export writes. */
export function foreignFile(what: string): Refusal {
  return new Refusal(`The file is refused, and nothing was stored: it holds ${what}.`)
}
