import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { markedColumns } from './options.ts'

async function read(context: Context, phone: string): Promise<void> {
  const client = await context.client()
  const { marked } = await client.chats.read({ phone })
  await context.print.record({ marked }, markedColumns)
}

/** Adds `chats read`. */
export function registerRead(chats: Command, run: Run): void {
  addVerb(
    chats,
    'read <phone>',
    'mark all messages of a contact as read without notifying the sender',
    'msgctl chats read +12025550100',
  ).action(run(read))
}
