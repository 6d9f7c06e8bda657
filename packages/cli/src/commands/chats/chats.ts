import { limits } from '@msgctl/contract/limits'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { wholeFrom } from '../../input/duration.ts'
import { readInput } from '../../input/read-input.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/number-reference.ts'
import { registerReply } from './chat-reply.ts'

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

const threadColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'direction', title: 'Way' },
  { field: 'status', title: 'Status' },
  { field: 'type', title: 'Kind' },
  { field: 'text', title: 'Text' },
]

const unreadColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'phone', title: 'Person' },
  { field: 'name', title: 'Name' },
  { field: 'text', title: 'Text', long: true },
  { field: 'id', title: 'Message' },
]

const markedColumns: readonly Column[] = [{ field: 'marked', title: 'Marked read' }]

/** Far more than 500 ids need. */
const maxIdBytes = 1024 * 1024

interface OfNumber {
  readonly number?: string
}

interface Limited extends OfNumber {
  readonly limit?: string
}

/** The options as a query: rows at most, up to `most`, and the number. */
async function queryFrom(context: Context, { limit, number }: Limited, most: number) {
  const rows = limit === undefined ? {} : { limit: wholeFrom(limit, '--limit', 1, most) }
  const client = await context.client()
  return { client, query: { ...rows, ...(await optionalContainerId(client, number)) } }
}

async function list(context: Context, options: Limited & { readonly search?: string }): Promise<void> {
  const { search } = options
  const { client, query } = await queryFrom(context, options, limits.chats.max)
  const input = { ...query, ...(search !== undefined && { search }) }
  const { chats } = await client.chats.list(input, { signal: context.host.signal })
  await context.print.list(chats, chatColumns)
}

async function show(context: Context, phone: string, options: Limited): Promise<void> {
  const { client, query } = await queryFrom(context, options, limits.thread.max)
  const { name, phone: person, messages } = await client.chats.thread({ phone, ...query })
  context.note(name === null ? person : `${name}, ${person}`)
  await context.print.list(messages, threadColumns)
}

async function unread(context: Context, options: Limited): Promise<void> {
  const { client, query } = await queryFrom(context, options, limits.unread.max)
  const { messages } = await client.chats.unread(query, { signal: context.host.signal })
  await context.print.list(messages, unreadColumns)
}

async function idsFrom(context: Context, typed: readonly string[]): Promise<readonly string[]> {
  const words =
    typed.length === 1 && typed[0] === '-' ? (await readInput(context.host, maxIdBytes)).split(/\s+/) : typed
  const ids = [...new Set(words.filter((word) => word !== ''))]
  if (ids.length > 0) return ids
  throw usageFailure('There are no ids on stdin.', 'msgctl chats unread --output plain --fields id shows them.')
}

async function ack(context: Context, typed: readonly string[]): Promise<void> {
  const ids = await idsFrom(context, typed)
  const client = await context.client()
  let marked = 0
  for (let from = 0; from < ids.length; from += limits.acknowledge) {
    const part = ids.slice(from, from + limits.acknowledge)
    marked += (await client.chats.ack({ ids: part }, { signal: context.host.signal })).marked
  }
  await context.print.record({ marked }, markedColumns)
}

async function read(context: Context, phone: string): Promise<void> {
  const client = await context.client()
  const { marked } = await client.chats.read({ phone })
  await context.print.record({ marked }, markedColumns)
}

const ofNumber = ['--number <number>', 'the chats of this number: its id, label or phone'] as const

export function register(chats: Command, run: Run): void {
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
  addVerb(
    chats,
    'show <phone>',
    'show one conversation, the latest messages last',
    'msgctl chats show +12025550100',
    'msgctl chats show 77123@lid --limit 10',
  )
    .option('--limit <messages>', `messages at most, up to ${limits.thread.max} (default ${limits.thread.default})`)
    .option(...ofNumber)
    .action(run(show))
  addVerb(
    chats,
    'unread',
    'list what nobody has marked read, oldest first',
    'msgctl chats unread',
    'msgctl chats unread --output plain --fields id | msgctl chats ack -',
  )
    .option('--limit <messages>', `messages at most, up to ${limits.unread.max} (default ${limits.unread.default})`)
    .option(...ofNumber)
    .action(run(unread))
  addVerb(
    chats,
    'ack <ids...>',
    'mark messages read here, without ticks for the sender; - reads the ids from stdin',
    'msgctl chats ack 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl chats unread --output plain --fields id | msgctl chats ack -',
  ).action(run(ack))
  addVerb(
    chats,
    'read <phone>',
    'mark everything from one person read, without ticks for the sender',
    'msgctl chats read +12025550100',
  ).action(run(read))
  registerReply(chats, run)
}
