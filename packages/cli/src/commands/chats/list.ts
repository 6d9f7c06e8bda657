import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Context } from '../../context.ts'
import { defineColumns, shownPhone } from '../../output/columns.ts'
import { noteFull } from '../../output/paging.ts'
import { verb, verbs } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
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

const threadColumns = defineColumns(
  'at as When, direction, status, type',
  { field: 'text', title: 'Text', long: true },
  { field: 'attachment.mimetype', title: 'File', spare: true },
  { field: 'error', title: 'Error', long: true },
)

async function show(context: Context, phone: string, { web, ...options }: Limited & WebOption): Promise<void> {
  if (web) return openPage(context, `inbox/${encodeURIComponent(normalizePhone(phone, { lid: true }) ?? phone)}`)
  const { client, query } = await buildQuery(context, options, limits.thread.max)
  const { name, phone: person, messages, unsent = [] } = await client.chats.thread({ phone, ...query })
  const written = shownPhone('phone', person) ?? person
  context.note(name === null ? written : `${name}, ${written}`)
  const waiting = unsent.map((message) => ({ ...message, direction: 'out' as const }))
  const all = [...messages, ...waiting].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  await context.print.list(all, threadColumns, 'There are no messages in this chat.')
  const file = messages.findLast(({ attachment }) => attachment !== undefined)
  if (file) context.note(`A file came with a message. To download it: msgctl chats download ${file.id}`)
  const failed = unsent.find(({ status }) => status === 'failed')
  if (failed) context.note(`A message was not sent. To send it again: msgctl chats reply ${written} "..."`)
}

/** `chats list|show`. */
export const listVerbs = verbs(
  verb(
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
  ),
  verb(
    'show <phone>',
    'show one conversation, newest message last',
    show,
    [
      'msgctl chats show +12025550100',
      'msgctl chats show 77123@lid --limit 10',
      'msgctl chats show +12025550100 --web',
    ],
    (command) =>
      command
        .option(...webOption)
        .option(
          '--limit <messages>',
          `maximum number of messages, up to ${limits.thread.max} (default: ${limits.thread.default})`,
        )
        .option(...ofNumber),
  ),
)
