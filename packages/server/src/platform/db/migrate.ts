import type { Knex } from 'knex'
import { type Db, liftTimeLimit, rows } from './db.ts'
import { type Migration, migrations } from './migrations/index.ts'

const tableName = 'schema_migrations'
const undefinedTable = '42P01'

/** The key of the advisory lock that lets one process migrate at a time: 'migrate' in ASCII. */
const lockKey = '30796665482998885'

/**
 * The first migration of the versions before 0.1.0. Their migrations became one baseline (docs/build/decisions/0026).
 */
const firstBeforeBaseline = '0001-clock-and-tenants'

/** Thrown for a database that a version before 0.1.0 created: no migration leads from its schema to today's. */
export class UnsupportedSchemaError extends Error {
  constructor() {
    super('the database was created by a version before 0.1.0, and cannot be migrated')
  }
}

const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ sql }) => ({ up: (trx) => runSql(trx, sql), down: forwardOnly }),
}

/** Runs the text of a migration. Knex takes each bare `?` for a placeholder, also in comments: here it means itself. */
export async function runSql(db: Db, sql: string): Promise<void> {
  await db.raw(sql.replaceAll('?', '\\?'))
}

async function forwardOnly(): Promise<void> {
  throw new Error('migrations only go forward')
}

/**
 * Brings the database to the schema of this version and returns the names of the migrations that ran.
 * All of them run in one transaction, or none. Any number of processes may call it at once: one does the work, the
 * others wait. A database that a newer version has migrated further is left as it is, so that versions can run side by
 * side during an upgrade. Throws {@link UnsupportedSchemaError} for a database of a version before 0.1.0, and changes
 * nothing there.
 */
export async function migrate(db: Db): Promise<string[]> {
  const applied = await appliedMigrations(db)
  if (applied.has(firstBeforeBaseline)) throw new UnsupportedSchemaError()
  // Nearly every start finds nothing to do, and need not wait for the others that start.
  if (missingFrom(applied).length === 0) return []
  return db.transaction(async (trx) => {
    // Waiting for another process, and rewriting a large table, may take longer than any ordinary statement.
    await liftTimeLimit(trx)
    await trx.raw(`select pg_advisory_xact_lock(${lockKey})`)
    const [, ran] = await trx.migrate.latest({ tableName, migrationSource, disableMigrationsListValidation: true })
    return ran
  })
}

/**
 * Returns the names of the migrations that `db` still lacks, in order: all of them on an empty database. It only reads.
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return missingFrom(await appliedMigrations(db))
}

/** Returns how many migrations a database has that this version does not know: newer versions applied them. */
export async function countUnknownMigrations(db: Db): Promise<number> {
  const known = new Set(migrations.map(({ name }) => name))
  return [...(await appliedMigrations(db))].filter((name) => !known.has(name)).length
}

function missingFrom(applied: ReadonlySet<string>): string[] {
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}

/** Returns the names of the migrations that a database has. */
export async function appliedMigrations(db: Db): Promise<Set<string>> {
  try {
    const found = await rows<{ name: string }>(db, `select name from ${tableName}`)
    return new Set(found.map(({ name }) => name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return new Set()
    throw error
  }
}
