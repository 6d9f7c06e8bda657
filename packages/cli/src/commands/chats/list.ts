import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { noteFull } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { buildQuery, type Limited, ofNumber } from './options.ts'

const chatColumns = defineColumns(
  'lastAt as Last, unread, phone as Contact, name, lastDirection as Direction, unsent as Not sent',
  { field: 'lastMessage', title: 'Text', long: true },
  { field: 'lid', title: 'Network id', onRequest: true },
  { field: 'lastAttachment', title: 'File', onRequest: true },
)

async function list(context: Context, options: Limited & { readonly search?: string }): Promise<void> {
  const { search } = options
  const { client, query } = await buildQuery(context, options, limits.chats.max)
  const input = { ...query, ...(search !== undefined && { search }) }
  const { chats } = await client.chats.list(input, { signal: context.host.signal })
  await context.print.list(chats, chatColumns, 'No chats found.')
  const { default: usual, max } = limits.chats
  noteFull(context, chats.length, { limit: options.limit, usual, max, what: 'chats' })
}

/** `chats list`. */
export const listVerb = verb(
  'list',
  'list conversations, newest first',
  list,
  ['msgctl chats list', 'msgctl chats list --search Jane --json --fields phone,unread'],
  (command) =>
    command
      .option('--search <text>', 'search part of a phone or name')
      .option(
        '--limit <chats>',
        `maximum number of chats, up to ${limits.chats.max} (default: ${limits.chats.default})`,
      )
      .option(...ofNumber),
)
