import { operator, recordActivity } from '#api/activity/log.ts'
import { noSuchOrganization } from '#people/organizations/change.ts'
import { findMoveState } from '#people/organizations/move-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { type Db, liftTimeLimit, transaction } from '#platform/db/db.ts'
import { listMoved } from './export.ts'
import { givenTables } from './given-tables.ts'
import type { MovedTable } from './plan.ts'
import { type ReadTable, readRows } from './row-store.ts'

/** Rows that are read at once. */
const batch = 1000

/** What the file of an organization holds. */
export interface GivenData {
  readonly organizationId: string
  readonly name: string
  readonly tables: number
  readonly rows: number
}

/**
 * Writes the data of an organization for the organization itself, as of one moment, while it runs: lines of JSON, of
 * which the first says what the others are. No hash, key, token or secret is in it, and nothing of its people but name,
 * address and role (given-tables.ts). Throws {@link Refusal} for an organization that does not exist or has moved away.
 */
export async function giveData(
  db: Db,
  organizationId: string,
  write: (text: string) => Promise<void>,
): Promise<GivenData> {
  const given = await db.transaction(
    async (trx) => {
      await liftTimeLimit(trx)
      const state = await findMoveState(trx, organizationId)
      if (!state) throw noSuchOrganization(organizationId)
      if (state.movedTo !== null) throw new Refusal(`The organization has moved to ${state.movedTo}. Run this there.`)
      const tables = (await listMoved(trx)).filter(({ table }) => table in givenTables && table !== 'users')
      await write(`${JSON.stringify(header(organizationId, state.name, state.now, tables))}\n`)
      let written = 0
      for (const table of tables) {
        for await (const some of readRows(trx, organizationId, toGiven(table), batch)) {
          await write(some.map((row) => `{"${nameOf(table)}":${row}}\n`).join(''))
          written += some.length
        }
      }
      return { organizationId, name: state.name, tables: tables.length, rows: written }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
  const details = { rows: given.rows }
  await transaction(db, (trx) =>
    recordActivity(trx, { organizationId, actor: operator, action: 'organization.data_given', details }),
  )
  return given
}

function header(organizationId: string, name: string, at: Date, tables: readonly MovedTable[]) {
  const kinds = Object.fromEntries(tables.map((table) => [nameOf(table), givenTables[table.table]?.about ?? '']))
  return {
    about:
      `The data of ${name}, as of ${at.toISOString()}. Each further line is one record: its kind, then its ` +
      'fields. Times are UTC.',
    without:
      'Passwords, keys, tokens and secrets, which are stored as hashes or encrypted, and files, which are not kept.',
    organization: { id: organizationId, name },
    kinds,
  }
}

/** Returns the name of a kind of records: `chatMessages` for the table `chat_messages`. */
function nameOf({ table }: Pick<MovedTable, 'table'>): string {
  return inCamelCase(table)
}

function inCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns what is read of a table: the given columns, under the names that the API uses. */
function toGiven({ table, numbered, where }: MovedTable): ReadTable {
  if (table === 'members') return { ...members, numbered, where: 'm.organization_id = :organizationId' }
  const given = Object.fromEntries(
    (givenTables[table]?.given ?? '').split(' ').map((column) => [`"${inCamelCase(column)}"`, column]),
  )
  const exported = table === 'activity_log' ? { ...given, ...activity } : given
  return { table, numbered, where, columns: Object.keys(exported), exported }
}

const members = {
  table: 'members m join users u on u.id = m.user_id',
  columns: ['name', 'email', 'role'],
  exported: { name: 'u.name', email: 'u.email', role: 'm.role' },
}

/** What an entry of the activity log says of its author and its subject, without the ids of people. */
const activity = {
  '"actorName"': `(select u.name from users u where actor_kind = 'user' and u.id::text = actor_id)`,
  '"subject"': 'case when subject not in (select id::text from users) then subject end',
}
