import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns } from './fields.ts'
import { resolveReminderId } from './reference.ts'

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveReminderId(client, reference, context.host.signal)
  const { reminder } = await client.reminders.cancel({ id })
  await context.print.record(reminder, columns)
}

/** `reminders cancel`. */
export const cancelVerb = verb('cancel <id>', 'cancel a scheduled reminder; it stays in the list', cancel, [
  'msgctl reminders cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
])
