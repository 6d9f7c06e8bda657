import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { withoutSuccess } from './columns.ts'
import { resolveMessageId } from './reference.ts'

const deletedColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'deletedAt', title: 'Deleted' },
]

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  await context.confirm(`Delete the message ${messageId} for the recipient?`)
  await context.print.record(withoutSuccess(await client.alert.delete({ messageId })), deletedColumns)
}

/** `messages delete`. */
export const deleteVerb = verb(
  'delete <id>',
  'delete a message sent within the last 60 hours for the recipient',
  remove,
  ['msgctl messages delete 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes'],
)
