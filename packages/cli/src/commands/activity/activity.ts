import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const columns = defineColumns('at, actor.kind as By, actor.name, action, subject, ip as Address')

const defaultRows = 50
const pageSize = 200
const maxRows = 1_000_000

type Filters = Omit<NonNullable<Parameters<AdminClient['activity']['list']>[0]>, 'limit' | 'cursor'>

async function list(context: Context, { limit, ...filters }: Filters & { readonly limit?: string }): Promise<void> {
  const wanted = wholeFrom(limit ?? String(defaultRows), '--limit', 1, maxRows)
  const rows = await context.asPerson(async (client) => {
    const found = []
    const options = { signal: context.host.signal }
    for await (const entry of client.activity.list.all({ ...filters, limit: Math.min(wanted, pageSize) }, options)) {
      found.push(entry)
      if (found.length >= wanted) break
    }
    return found
  })
  await context.print.list(rows, columns)
}

export const register = verb(
  'list',
  'list the changes of the organization, newest first',
  list,
  ['msgctl activity list', 'msgctl activity list --action member --from 2026-10-01T00:00:00Z --json'],
  (command) =>
    command
      .option('--action <action>', 'show only this action, such as member.removed, or area, such as member')
      .option('--actor <actor>', 'show only changes by this id or kind, such as operator')
      .option('--subject <id>', 'show only changes of this thing')
      .option('--from <time>', 'show only entries since this time')
      .option('--to <time>', 'show only entries before this time')
      .option('--limit <rows>', `maximum number of rows (default: ${defaultRows})`),
)
