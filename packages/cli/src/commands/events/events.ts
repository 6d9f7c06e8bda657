import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { type ListOptions, take } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { addTail, type EventFilters, eventColumns, eventInput } from './event-tail.ts'
import { addReplay } from './replay.ts'

const mostRows = 1_000_000
const largestPage = 500

async function list(context: Context, options: EventFilters & Pick<ListOptions, 'limit' | 'all'>): Promise<void> {
  const limit = options.all ? mostRows : wholeFrom(options.limit ?? '100', '--limit', 1, mostRows)
  const client = await context.client()
  const input = { ...eventInput(options), limit: Math.min(limit, largestPage) }
  const rows = client.events.list.all(input, { signal: context.host.signal })
  await context.print.list(take(rows, limit), eventColumns)
}

export function register(events: Command, run: Run): void {
  addTail(events, 'tail', run, 'msgctl events tail')
  addVerb(
    events,
    'list',
    'list the events of the last 30 days, oldest first',
    'msgctl events list --types message.failed',
    'msgctl events list --all --output ndjson > events.ndjson',
  )
    .option('--types <kinds>', 'only these, separated by commas; message.* means all of a group')
    .option('--after <id>', 'only what came after this event')
    .option('--limit <events>', 'events at most (default 100)')
    .option('--all', 'every event')
    .action(run(list))
  addReplay(events, run, 'msgctl events replay')
}

export function registerTail(noun: Command, run: Run): void {
  addTail(noun, 'events', run, 'msgctl tail events')
}
