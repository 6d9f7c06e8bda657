import { Option } from 'commander'
import { transaction } from '#platform/db/db.ts'
import { argument } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import { type OperatorGuard, setGuard, showGuard } from './guard-settings.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

/** Returns the text of the guard commands. */
function guardText({ containerId, mode, conversations, perHour, perDay, judgedAgain }: OperatorGuard): string {
  const limit = (name: string, value: number | null) => `  ${name.padEnd(22)}${value ?? 'by the age of the number'}`
  return [
    `Number ${containerId}`,
    `  ${'Rules'.padEnd(22)}${mode === 'auto' ? 'by its network' : mode}`,
    limit('New conversations/day', conversations),
    limit('Messages/hour', perHour),
    limit('Messages/day', perDay),
    ...(judgedAgain === undefined ? [] : [`Held messages that are judged again: ${judgedAgain}`]),
    '',
  ].join('\n')
}

interface SetOptions {
  readonly mode?: 'on' | 'off' | 'auto'
  readonly conversations?: number | 'default'
  readonly perHour?: number | 'default'
  readonly perDay?: number | 'default'
}

/** Returns the operator's commands for the rules that protect numbers: `msgctl-server guard ...`. */
export function guardCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const guard = new OperatorCommand('guard', terminal).description(
    'show and change the rules that keep numbers from being restricted',
  )
  guard
    .command('show')
    .description('show what the rules allow a number')
    .argument('<number>', 'containerId of the number', argument.numberId)
    .runs(({ db }, id: string) => showGuard(db, id), guardText)
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
    .runs(({ db }, id: string, change: SetOptions) => transaction(db, (trx) => setGuard(trx, id, change)), guardText)
  return guard
}
