import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const columns = defineColumns('at, tool, connection.name as Client, outcome, code, phone as Person, ms as ms')

const defaultRows = 50
const mostRows = 200

type Filters = Omit<NonNullable<Parameters<AdminClient['mcp']['calls']>[0]>, 'limit' | 'cursor'>

async function calls(context: Context, { limit, ...filters }: Filters & { readonly limit?: string }): Promise<void> {
  const wanted = wholeFrom(limit ?? String(defaultRows), '--limit', 1, mostRows)
  const { calls: found } = await context.asPerson((client) => client.mcp.calls({ ...filters, limit: wanted }))
  await context.print.list(found, columns)
}

/** `mcp calls`. */
export const callsVerb = verb(
  'calls',
  'list the calls of AI clients, newest first',
  calls,
  ['msgctl mcp calls', 'msgctl mcp calls --tool send_message --json'],
  (command) =>
    command
      .option('--tool <tool>', 'show only calls of this tool')
      .option('--connection <id>', 'show only calls of this connection')
      .option('--limit <rows>', `maximum number of rows (default: ${defaultRows})`),
)
