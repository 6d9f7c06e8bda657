import { Command } from 'commander'
import { Refusal } from '#people/organizations/refusal.ts'
import { connect, type Db } from '#platform/db/db.ts'
import { type Config, readConfig } from '#process/config.ts'
import { explainDatabaseError, joinDatabase } from '#process/database.ts'
import type { Terminal } from './terminal.ts'

/** What a command works with. */
export interface Workplace {
  readonly db: Db
  /** The settings, completed with those of the embedded database. */
  readonly config: Config
  readonly databaseUrl: string
  readonly terminal: Terminal
}

/**
 * Runs one operator's command on the configured database, whether the service is running or not. Prints the result as
 * text or as JSON. A {@link Refusal} prints its message to stderr and sets its exit code.
 */
export async function runCommand<T>(
  terminal: Terminal,
  json: boolean | undefined,
  execute: (place: Workplace) => Promise<T>,
  format: (result: T) => string,
): Promise<void> {
  const database = await joinDatabase(readConfig(terminal.env))
  const db = connect(database.url, { poolMax: 4, applicationName: 'msgctl org' })
  try {
    const result = await execute({ db, config: database.config, databaseUrl: database.url, terminal })
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

/** A command of the operator on a terminal. Wrong arguments exit with 2, changes that are not possible with 1. */
export class OperatorCommand extends Command {
  readonly terminal: Terminal

  constructor(name: string, terminal: Terminal) {
    super(name)
    this.terminal = terminal
    this.showHelpAfterError('Add --help to see the arguments.')
      .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
      .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
  }

  override createCommand(name = ''): OperatorCommand {
    return new OperatorCommand(name, this.terminal)
  }

  /** Adds --json, and runs the command by {@link runCommand}: `execute` also gets its arguments and options. */
  // biome-ignore lint/suspicious/noExplicitAny: commander gives arguments and options as the command declared them.
  runs<T>(execute: (place: Workplace, ...given: any[]) => Promise<T>, format: (result: T) => string): this {
    return this.option('--json', 'print JSON').action((...given) =>
      runCommand(this.terminal, this.opts().json, (place) => execute(place, ...given), format),
    )
  }
}
