import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { type ListOptions, noteCut, take } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { type EventFilters, eventColumns, filterOptions, toEventInput } from './filters.ts'

const maxRows = 1_000_000
const largestPage = 500

async function list(
  context: Context,
  options: EventFilters & Pick<ListOptions, 'limit' | 'all'> & { readonly newest?: true },
): Promise<void> {
  const limit = options.all ? maxRows : wholeFrom(options.limit ?? '100', '--limit', 1, maxRows)
  const client = await context.client()
  const input = {
    ...(await toEventInput(context, client, options)),
    ...(options.newest && { order: 'newest' as const }),
    limit: Math.min(limit, largestPage),
  }
  const rows = client.events.list.all(input, { signal: context.host.signal })
  const onCut =
    options.all || options.limit !== undefined
      ? undefined
      : noteCut(context, limit, options.newest ? 'newest' : 'oldest')
  await context.print.list(take(rows, limit, onCut), eventColumns, 'No events found.')
}

/** `events list`. */
export const listVerb = verb(
  'list',
  'list the events of the last 30 days, oldest first',
  list,
  [
    'msgctl events list --newest --limit 20',
    'msgctl events list --types message.failed --since 2026-10-01T09:00:00Z',
    'msgctl events list --all --output ndjson > events.ndjson',
  ],
  (command) =>
    filterOptions(command)
      .option('--until <time>', 'show only events before this time')
      .option('--newest', 'show the newest events first')
      .option('--limit <events>', 'maximum number of events (default: 100)')
      .option('--all', 'show all events'),
)
