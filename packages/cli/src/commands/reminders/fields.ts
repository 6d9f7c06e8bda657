import { type Command, Option } from 'commander'
import { usageFailure } from '../../errors/exit-codes.ts'
import type { Column } from '../../output/columns.ts'

export const repeats = ['none', 'daily', 'weekly', 'monthly'] as const

export type Repeat = (typeof repeats)[number]

export const columns: readonly Column[] = [
  { field: 'id', title: 'Reminder' },
  { field: 'status', title: 'Status' },
  { field: 'sendAt', title: 'Sent at' },
  { field: 'repeat', title: 'Repeat' },
  { field: 'timeZone', title: 'Time zone' },
  { field: 'phone', title: 'To' },
  { field: 'label', title: 'Label' },
  { field: 'message', title: 'Text', long: true },
  { field: 'sendCount', title: 'Sent' },
  { field: 'lastSentAt', title: 'Last sent' },
  { field: 'lastMessageStatus', title: 'Last message' },
  { field: 'lastError', title: 'Last error' },
]

export interface Fields {
  readonly repeat?: Repeat
  readonly label?: string
  readonly timeZone?: string
  readonly var: readonly string[]
}

/** What create and edit share, as it was typed. Throws a usage failure for a variable that is no pair. */
export function inputOf({ repeat, label, timeZone, var: pairs }: Fields) {
  const variables = Object.fromEntries(pairs.map(pair))
  return {
    ...(repeat && { repeat }),
    ...(label !== undefined && { label }),
    ...(timeZone !== undefined && { timeZone }),
    ...(pairs.length > 0 && { variables }),
  }
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw usageFailure('--var takes name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

export function fieldOptions(command: Command): Command {
  return command
    .addOption(new Option('--repeat <how>', 'how often it repeats').choices(repeats))
    .option('--label <text>', 'a name to find it by')
    .option('--time-zone <zone>', 'repeats keep the wall-clock time of this zone, such as Europe/Berlin')
    .option('--var <name=value>', 'a value for {{name}} in the text', (value, all: string[]) => [...all, value], [])
}
