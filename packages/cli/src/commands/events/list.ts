import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { type ListOptions, take } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { type EventFilters, eventColumns, toEventInput } from './filters.ts'

const maxRows = 1_000_000
const largestPage = 500

async function list(context: Context, options: EventFilters & Pick<ListOptions, 'limit' | 'all'>): Promise<void> {
  const limit = options.all ? maxRows : wholeFrom(options.limit ?? '100', '--limit', 1, maxRows)
  const client = await context.client()
  const input = { ...toEventInput(options), limit: Math.min(limit, largestPage) }
  const rows = client.events.list.all(input, { signal: context.host.signal })
  await context.print.list(take(rows, limit), eventColumns)
}

/** Adds `events list`. */
export function registerList(events: Command, run: Run): void {
  addVerb(
    events,
    'list',
    'list the events of the last 30 days, oldest first',
    'msgctl events list --types message.failed',
    'msgctl events list --all --output ndjson > events.ndjson',
  )
    .option('--types <kinds>', 'show only these kinds, separated by commas; message.* selects all kinds of a group')
    .option('--after <id>', 'show only events after this one')
    .option('--limit <events>', 'maximum number of events (default: 100)')
    .option('--all', 'show all events')
    .action(run(list))
}
