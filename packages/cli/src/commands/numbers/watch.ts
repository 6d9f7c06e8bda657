import { type NumberStatus, numberStatuses } from '@msgctl/contract/states'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import type { Times } from '../../output/times.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from './reference.ts'
import { diffNumbers, type NumberChange, readNumbers } from './status-changes.ts'

const watchColumns = defineColumns('at as When, label, from, status, containerId as Number')

interface WatchOptions {
  readonly until?: NumberStatus
  readonly timeout?: string
}

function formatLine(row: unknown, times: Times): string {
  const { at, label, containerId, from, status } = row as NumberChange
  return [times.absolute(at), label ?? containerId, from === null ? status : `${from} -> ${status}`].join('  ')
}

function goalNotReached(until: NumberStatus): CliError {
  return new CliError(`Timed out: the number is not ${until}.`, {
    code: 'WAIT_TIMED_OUT',
    exitCode: exitCodes.waitTimedOut,
    advice: 'msgctl numbers status shows what to do.',
  })
}

/** No timeout: longer than any watch. */
const noTimeoutMs = 2 ** 52

async function watch(context: Context, number: string | undefined, { until, timeout }: WatchOptions): Promise<void> {
  const timeoutMs = timeout === undefined ? noTimeoutMs : secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const { containerId } = await optionalContainerId(client, number)
  context.note('Watching. Press Ctrl-C to stop.')
  for await (const change of diffNumbers(context, readNumbers(context, client, containerId), timeoutMs)) {
    await context.print.follow(change, watchColumns, (row) => formatLine(row, context.print.times))
    if (change.status === until) return
  }
  if (until !== undefined) throw goalNotReached(until)
}

/** `numbers watch`. */
export const watchVerb = verb(
  'watch [number]',
  'show status changes of one number or of all as they happen',
  watch,
  ['msgctl numbers watch', 'msgctl numbers watch support --until WORKING --timeout 5m'],
  (command) =>
    command
      .addOption(new Option('--until <status>', 'stop when a number has this status').choices(numberStatuses))
      .option('--timeout <time>', 'stop watching after this time')
      .addHelpText('after', '\nExit code: 12 timed out before --until, 130 Ctrl-C.'),
)
