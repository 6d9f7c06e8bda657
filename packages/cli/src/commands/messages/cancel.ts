import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
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

/** `messages cancel`. */
export const cancelVerb = verb('cancel <id>', 'cancel a message that is still queued', cancel, [
  'msgctl messages cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
])
