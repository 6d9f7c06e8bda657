import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readInput } from '../../input/read-input.ts'
import { verb } from '../../program.ts'
import { markedColumns } from './options.ts'
import { resolveReceivedId } from './reference.ts'

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

/** `chats ack`. */
export const ackVerb = verb(
  'ack <ids...>',
  'mark messages as read without notifying the sender; - reads the ids from stdin',
  ack,
  [
    'msgctl chats ack 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl chats unread --output plain --fields id | msgctl chats ack -',
  ],
)
