import { type NumberStatus, numberStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { type Column, shownText } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from './reference.ts'
import { diffNumbers, type NumberChange, readNumbers } from './status-changes.ts'

const watchColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'label', title: 'Label' },
  { field: 'from', title: 'From' },
  { field: 'status', title: 'Status' },
  { field: 'containerId', title: 'Number' },
]

interface WatchOptions {
  readonly until?: NumberStatus
  readonly timeout?: string
}

function lineOf(row: unknown): string {
  const { at, label, containerId, from, status } = row as NumberChange
  return [shownText(at), label ?? containerId, from === null ? status : `${from} -> ${status}`].join('  ')
}

function notReached(until: NumberStatus): CliError {
  return new CliError(`Time is up and the number is not ${until}.`, {
    code: 'WAIT_TIMED_OUT',
    exitCode: exitCodes.waitTimedOut,
    advice: 'See msgctl numbers status for what it waits for.',
  })
}

/** Far beyond the longest watch. */
const noTimeoutMs = 2 ** 52

async function watch(context: Context, number: string | undefined, { until, timeout }: WatchOptions): Promise<void> {
  const timeoutMs = timeout === undefined ? noTimeoutMs : secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const { containerId } = await optionalContainerId(client, number)
  context.note('Watching; Ctrl-C ends it.')
  for await (const change of diffNumbers(context, readNumbers(context, client, containerId), timeoutMs)) {
    await context.print.follow(change, watchColumns, lineOf)
    if (change.status === until) return
  }
  if (until !== undefined) throw notReached(until)
}

/** Adds `numbers watch`. */
export function registerWatch(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'watch [number]',
    'show states as they change, of one number or of all',
    'msgctl numbers watch',
    'msgctl numbers watch support --until WORKING --timeout 5m',
  )
    .addOption(new Option('--until <status>', 'end when a number is in this state').choices(numberStatuses))
    .option('--timeout <time>', 'how long to watch at most')
    .addHelpText('after', '\nExit code: 12 when time was up before --until, 130 on Ctrl-C.')
    .action(run(watch))
}
