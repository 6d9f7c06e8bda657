import { connect, type Db } from '../db/db.ts'
import { Refusal } from '../organizations/refusal.ts'
import { type Config, readConfig } from '../process/config.ts'
import { joinDatabase } from '../process/database.ts'
import type { Terminal } from './terminal.ts'

/**
 * Carries out one command of the operator's on the database of the settings, whether the service runs or not: prints the
 * result as text or, for machines, as JSON. `work` also gets the settings, completed by what the embedded database brings. A {@link Refusal} is its sentence on stderr and its exit code.
 */
export async function runCommand<T>(
  terminal: Terminal,
  json: boolean | undefined,
  work: (db: Db, config: Config) => Promise<T>,
  inWords: (result: T) => string,
): Promise<void> {
  const database = await joinDatabase(readConfig(terminal.env))
  const db = connect(database.url, { poolMax: 4, applicationName: 'msgctl org' })
  try {
    const result = await work(db, database.config)
    terminal.write(json ? `${JSON.stringify(result, null, 2)}\n` : inWords(result))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    terminal.complain(`${error.message}\n`)
    terminal.end(error.exitCode)
  } finally {
    await db.destroy()
    await database.stop()
  }
}
