import { Command, Option } from 'commander'
import type { Db } from '#platform/db/db.ts'
import { transaction } from '#platform/db/db.ts'
import { argument } from './arguments.ts'
import { setGuard, showGuard } from './guard-settings.ts'
import { guardText } from './print-guard.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

interface SetOptions {
  readonly mode?: 'on' | 'off' | 'auto'
  readonly conversations?: number | 'default'
  readonly perHour?: number | 'default'
  readonly perDay?: number | 'default'
  readonly json?: boolean
}

/** Returns the operator's commands for the rules that protect numbers: `msgctl-server guard ...`. */
export function guardCommands(terminal: Terminal = ownTerminal): Command {
  const guard = new Command('guard')
    .description('show and change the rules that keep numbers from being restricted')
    .showHelpAfterError('Add --help to see the arguments.')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
  guard
    .command('show')
    .description('show what the rules allow a number')
    .argument('<number>', 'containerId of the number', argument.numberId)
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      runCommand(terminal, json, (db) => showGuard(db, id), guardText),
    )
  guard
    .command('set')
    .description('change what the rules allow a number; omitted options stay')
    .argument('<number>', 'containerId of the number', argument.numberId)
    .addOption(
      new Option('--mode <mode>', 'whether the rules hold; auto: by its network').choices(['on', 'off', 'auto']),
    )
    .option('--conversations <count>', 'new conversations a day, or default', argument.guardLimit)
    .option('--per-hour <count>', 'messages an hour, or default', argument.guardLimit)
    .option('--per-day <count>', 'messages a day, or default', argument.guardLimit)
    .option('--json', 'print JSON')
    .action((id: string, { json, ...change }: SetOptions) =>
      runCommand(terminal, json, (db: Db) => transaction(db, (trx) => setGuard(trx, id, change)), guardText),
    )
  return guard
}
