import { type Db, liftTimeLimit } from '../db/db.ts'
import { appliedMigrations } from '../db/migrate.ts'
import { readErasable } from '../erasure/catalogue-store.ts'
import { noSuchOrganization } from '../organizations/change.ts'
import { findMoveState } from '../organizations/move-store.ts'
import { Refusal } from '../organizations/refusal.ts'
import { openSecrets } from '../secrets.ts'
import { readMovable } from './catalogue-store.ts'
import { fingerprints, formatMark } from './file.ts'
import { type MovedTable, planMove } from './plan.ts'
import { readRows } from './row-store.ts'

/** Rows that are read at once: uploads have up to 16 MB each. */
const batch = 100

/** What an export holds. */
export interface Exported {
  readonly organizationId: string
  readonly name: string
  readonly closed: boolean
  readonly tables: number
  readonly rows: number
}

/** Returns the tables with rows of organizations, in the order of an export. */
export async function listMoved(db: Db): Promise<MovedTable[]> {
  return planMove(await readMovable(db), await readErasable(db))
}

/**
 * Writes all rows of an organization, as they are at one moment: a header, and for each table a line with its columns and
 * the rows as JSON. Throws {@link Refusal} for an organization that does not exist or has moved away.
 */
export async function exportOrganization(
  db: Db,
  organizationId: string,
  secretsKeys: string | undefined,
  write: (text: string) => Promise<void>,
): Promise<Exported> {
  return db.transaction(
    async (trx) => {
      await liftTimeLimit(trx)
      const state = await findMoveState(trx, organizationId)
      if (!state) throw noSuchOrganization(organizationId)
      if (state.movedTo !== null) throw new Refusal(`The organization has moved to ${state.movedTo}.`)
      const closed = state.closedAt !== null
      const migrations = [...(await appliedMigrations(trx))].sort()
      const keys = fingerprints(secretsKeys, openSecrets(secretsKeys))
      await write(formatMark({ format: 1, organizationId, name: state.name, closed, migrations, keys }))
      const tables = await listMoved(trx)
      let written = 0
      for (const table of tables) written += await writeTable(trx, organizationId, table, write)
      await write(formatMark({ rows: written }))
      return { organizationId, name: state.name, closed, tables: tables.length, rows: written }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

async function writeTable(
  trx: Db,
  organizationId: string,
  moved: MovedTable,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const { table, columns, isDerived, ofPeople } = moved
  await write(formatMark({ table, columns, isDerived, ofPeople }))
  let count = 0
  for await (const some of readRows(trx, organizationId, moved, batch)) {
    count += some.length
    await write(`${some.join('\n')}\n`)
  }
  return count
}
