import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { buildQuery, type Limited, ofNumber } from './options.ts'

const unreadColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'phone', title: 'Contact' },
  { field: 'name', title: 'Name' },
  { field: 'text', title: 'Text', long: true },
  { field: 'id', title: 'Message' },
]

async function unread(context: Context, options: Limited): Promise<void> {
  const { client, query } = await buildQuery(context, options, limits.unread.max)
  const { messages } = await client.chats.unread(query, { signal: context.host.signal })
  await context.print.list(messages, unreadColumns, 'There are no unread messages.')
}

/** `chats unread`. */
export const unreadVerb = verb(
  'unread',
  'list unread messages, oldest first',
  unread,
  ['msgctl chats unread', 'msgctl chats unread --output plain --fields id | msgctl chats ack -'],
  (command) =>
    command
      .option(
        '--limit <messages>',
        `maximum number of messages, up to ${limits.unread.max} (default: ${limits.unread.default})`,
      )
      .option(...ofNumber),
)
