import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { instantFrom } from '../../input/moment.ts'
import { defineColumns } from '../../output/columns.ts'

export const repeats = ['none', 'daily', 'weekly', 'monthly'] as const

export type Repeat = (typeof repeats)[number]

export const columns = defineColumns(
  'id as Reminder, status, sendAt as Next send, repeat, timeZone, phone as To',
  { field: 'label', title: 'Label', long: true },
  { field: 'message', title: 'Text', long: true },
  'sendCount as Sent, lastSentAt as Last sent, lastMessageStatus as Last message, lastError',
)

export interface Fields {
  readonly repeat?: Repeat
  readonly label?: string
  readonly timeZone?: string
  readonly var: readonly string[]
}

/** Parses --at, which may be local time in --time-zone. Throws a usage error for an invalid or past time. */
export function readSendAt({ host, warn }: Context, at: string, { timeZone }: Pick<Fields, 'timeZone'>): string {
  return instantFrom(at, '--at', { nowMs: host.now(), timeZone: timeZone ?? host.timeZone, note: warn })
}

/** Converts the options of create and edit to API input. Throws a usage error for an invalid --var. */
export function toInput({ repeat, label, timeZone, var: pairs }: Fields) {
  const variables = Object.fromEntries(pairs.map(parsePair))
  return {
    ...(repeat && { repeat }),
    ...(label !== undefined && { label }),
    ...(timeZone !== undefined && { timeZone }),
    ...(pairs.length > 0 && { variables }),
  }
}

function parsePair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw usageFailure('--var requires name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

export function fieldOptions(command: Command): Command {
  return command
    .addOption(new Option('--repeat <how>', 'repetition').choices(repeats))
    .option('--label <text>', 'label to search for')
    .option(
      '--time-zone <zone>',
      'time zone of --at and of repetitions, such as Europe/Berlin; keeps the local time across daylight saving',
    )
    .option('--var <name=value>', 'value of the placeholder {{name}}', (value, all: string[]) => [...all, value], [])
}
