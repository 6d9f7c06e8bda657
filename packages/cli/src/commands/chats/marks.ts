import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readInput } from '../../input/read-input.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { buildQuery, type Limited, markedColumns, ofNumber } from './options.ts'
import { resolveReceivedId } from './reference.ts'

const unreadColumns = defineColumns(
  'at as When, phone as Contact, name',
  { field: 'text', title: 'Text', long: true },
  'id as Message',
)

async function unread(context: Context, options: Limited): Promise<void> {
  const { client, query } = await buildQuery(context, options, limits.unread.max)
  const { messages } = await client.chats.unread(query, { signal: context.host.signal })
  await context.print.list(messages, unreadColumns, 'There are no unread messages.')
}

/** More than 500 ids need. */
const maxIdBytes = 1024 * 1024

async function idsFrom(context: Context, typed: readonly string[]): Promise<readonly string[]> {
  const words =
    typed.length === 1 && typed[0] === '-' ? (await readInput(context.host, maxIdBytes)).split(/\s+/) : typed
  const ids = [...new Set(words.filter((word) => word !== ''))]
  if (ids.length > 0) return ids
  throw usageFailure('There are no ids on stdin.', 'List them with: msgctl chats unread --output plain --fields id')
}

async function ack(context: Context, typed: readonly string[]): Promise<void> {
  const client = await context.client()
  const { signal } = context.host
  const ids: string[] = []
  for (const reference of await idsFrom(context, typed)) ids.push(await resolveReceivedId(client, reference, signal))
  let marked = 0
  for (let from = 0; from < ids.length; from += limits.acknowledge) {
    const part = ids.slice(from, from + limits.acknowledge)
    marked += (await client.chats.ack({ ids: part }, { signal })).marked
  }
  await context.print.record({ marked }, markedColumns)
}

async function read(context: Context, phone: string): Promise<void> {
  const client = await context.client()
  const { marked } = await client.chats.read({ phone })
  await context.print.record({ marked }, markedColumns)
}

/** `chats unread|ack|read`. */
export const markVerbs = verbs(
  verb(
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
  ),
  verb('ack <ids...>', 'mark messages as read without notifying the sender; - reads the ids from stdin', ack, [
    'msgctl chats ack 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl chats unread --output plain --fields id | msgctl chats ack -',
  ]),
  verb('read <phone>', 'mark all messages of a contact as read without notifying the sender', read, [
    'msgctl chats read +12025550100',
  ]),
)
