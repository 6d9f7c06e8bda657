import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { noteFull } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

const columns = defineColumns(
  'leavesAt as Leaves, waitsFor, recipient, priority',
  { field: 'content', title: 'Text', long: true },
  'id',
  { field: 'containerId', title: 'Number', onRequest: true },
  { field: 'campaignId', title: 'Campaign', onRequest: true },
  { field: 'estimated', title: 'Estimated', onRequest: true },
)

async function queue(context: Context, options: { readonly number?: string; readonly limit?: string }): Promise<void> {
  const client = await context.client()
  const limit = options.limit === undefined ? {} : { limit: wholeFrom(options.limit, '--limit', 1, limits.queue.max) }
  const input = { ...limit, ...(await optionalContainerId(client, options.number)) }
  const { lanes } = await client.messages.queue(input, { signal: context.host.signal })
  const rows = lanes.flatMap(({ containerId, messages }) => messages.map((message) => ({ containerId, ...message })))
  await context.print.list(rows, columns, 'No messages are waiting.')
  const { default: usual, max } = limits.queue
  const longest = Math.max(0, ...lanes.map(({ messages }) => messages.length))
  noteFull(context, longest, { limit: options.limit, usual, max, what: 'of each number' })
}

/** `messages queue`. */
export const queueVerb = verb(
  'queue',
  'list what waits on each number, and when it leaves',
  queue,
  ['msgctl messages queue', 'msgctl messages queue --number Support --limit 50 --json'],
  (command) =>
    command
      .option('--number <number>', 'only the queue of this number: id, label or phone')
      .option(
        '--limit <messages>',
        `messages for each number, up to ${limits.queue.max} (default: ${limits.queue.default})`,
      ),
)
