import { limits } from '@msgctl/contract/limits'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { type Limited, ofNumber, queryFrom } from './shared.ts'

const chatColumns: readonly Column[] = [
  { field: 'lastAt', title: 'Last' },
  { field: 'unread', title: 'Unread' },
  { field: 'phone', title: 'Person' },
  { field: 'name', title: 'Name' },
  { field: 'lastDirection', title: 'Way' },
  { field: 'lastMessage', title: 'Text', long: true },
  { field: 'lid', title: 'Network id', onRequest: true },
  { field: 'lastAttachment', title: 'File', onRequest: true },
]

async function list(context: Context, options: Limited & { readonly search?: string }): Promise<void> {
  const { search } = options
  const { client, query } = await queryFrom(context, options, limits.chats.max)
  const input = { ...query, ...(search !== undefined && { search }) }
  const { chats } = await client.chats.list(input, { signal: context.host.signal })
  await context.print.list(chats, chatColumns)
}

/** Adds `chats list`. */
export function registerList(chats: Command, run: Run): void {
  addVerb(
    chats,
    'list',
    'list conversations, the latest first',
    'msgctl chats list',
    'msgctl chats list --search Jane --json --fields phone,unread',
  )
    .option('--search <text>', 'part of a phone or a name')
    .option('--limit <chats>', `chats at most, up to ${limits.chats.max} (default ${limits.chats.default})`)
    .option(...ofNumber)
    .action(run(list))
}
