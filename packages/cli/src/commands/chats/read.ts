import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { markedColumns } from './options.ts'

async function read(context: Context, phone: string): Promise<void> {
  const client = await context.client()
  const { marked } = await client.chats.read({ phone })
  await context.print.record({ marked }, markedColumns)
}

/** `chats read`. */
export const readVerb = verb(
  'read <phone>',
  'mark all messages of a contact as read without notifying the sender',
  read,
  ['msgctl chats read +12025550100'],
)
