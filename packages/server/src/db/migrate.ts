import type { Knex } from 'knex'
import { type Db, rows } from './db.ts'
import { migrations } from './migrations/index.ts'

type Migration = (typeof migrations)[number]

const tableName = 'schema_migrations'
const undefinedTable = '42P01'

/** The key of the advisory lock that lets one process migrate at a time: 'migrate' in ASCII. */
const lockKey = '30796665482998885'

const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({ up, down: forwardOnly }),
}

async function forwardOnly(): Promise<void> {
  throw new Error('migrations only go forward')
}

/**
 * Brings the database to the schema of this version and answers the names of the migrations that ran.
 * All of them run in one transaction, or none. Any number of processes may call it at once: one does the work, the others wait.
 * A database that a newer version has migrated further is left as it is, so that versions can run side by side during an upgrade.
 */
export async function migrate(db: Db): Promise<string[]> {
  // Nearly every start finds nothing to do, and need not wait for the others that start.
  if ((await pendingMigrations(db)).length === 0) return []
  return db.transaction(async (trx) => {
    // Waiting for another process, and rewriting a large table, may take longer than any ordinary statement.
    await trx.raw('set local statement_timeout = 0')
    await trx.raw(`select pg_advisory_xact_lock(${lockKey})`)
    const [, ran] = await trx.migrate.latest({ tableName, migrationSource, disableMigrationsListValidation: true })
    return ran
  })
}

/** The names of the migrations that `db` still lacks, in order: all of them on an empty database. It only reads. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const done = new Set(await appliedMigrations(db))
  return migrations.map(({ name }) => name).filter((name) => !done.has(name))
}

async function appliedMigrations(db: Db): Promise<string[]> {
  try {
    return (await rows<{ name: string }>(db, `select name from ${tableName}`)).map(({ name }) => name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return []
    throw error
  }
}
