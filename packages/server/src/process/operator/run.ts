import { Refusal } from '#people/organizations/refusal.ts'
import { connect, type Db } from '#platform/db/db.ts'
import { type Config, readConfig } from '#process/config.ts'
import { explainDatabaseError, joinDatabase } from '#process/database.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs one operator's command on the configured database, whether the service is running or not. Prints the result as
 * text or as JSON. `execute` also gets the settings, completed with those of the embedded database, and the address of
 * the database. A {@link Refusal} prints its message to stderr and sets its exit code.
 */
export async function runCommand<T>(
  terminal: Terminal,
  json: boolean | undefined,
  execute: (db: Db, config: Config, databaseUrl: string) => Promise<T>,
  format: (result: T) => string,
): Promise<void> {
  const database = await joinDatabase(readConfig(terminal.env))
  const db = connect(database.url, { poolMax: 4, applicationName: 'msgctl org' })
  try {
    const result = await execute(db, database.config, database.url)
    terminal.write(json ? `${JSON.stringify(result, null, 2)}\n` : format(result))
  } catch (error) {
    const { databaseUrl } = database.config
    if (!(error instanceof Refusal)) throw databaseUrl === null ? error : explainDatabaseError(databaseUrl, error)
    terminal.complain(`${error.message}\n`)
    terminal.end(error.exitCode)
  } finally {
    await db.destroy()
    await database.stop()
  }
}
