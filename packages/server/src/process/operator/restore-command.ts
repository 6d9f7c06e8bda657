import { Command } from 'commander'
import { answerRestore } from '#upkeep/restore/after-restore.ts'
import { restoreText } from './print-restore.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

interface Options {
  readonly nothingLost?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** Returns the operator's command for a restored database: `msgctl-server after-restore`. */
export function afterRestoreCommand(terminal: Terminal = ownTerminal): Command {
  return new Command('after-restore')
    .description('hold everything that a restored database would send again, and let the service start on it')
    .option('--nothing-lost', 'keep everything due: no process has run since the backup was taken')
    .option('--force', 'also for a database that does not look restored, such as that of a disk snapshot')
    .option('--json', 'print JSON')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
    .action(({ nothingLost = false, force = false, json }: Options) =>
      runCommand(terminal, json, (db) => answerRestore(db, { nothingLost, force }), restoreText),
    )
}
