import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { withoutSuccess } from './columns.ts'
import { resolveMessageId } from './reference.ts'

const cancelledColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'status', title: 'Status' },
]

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  await context.print.record(withoutSuccess(await client.alert.cancel({ messageId })), cancelledColumns)
}

/** Adds `messages cancel`. */
export function registerCancel(messages: Command, run: Run): void {
  addVerb(
    messages,
    'cancel <id>',
    'cancel a message that is still queued',
    'msgctl messages cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run(cancel))
}
