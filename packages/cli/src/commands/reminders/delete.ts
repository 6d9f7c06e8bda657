import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { resolveReminderId } from './reference.ts'

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveReminderId(client, reference, context.host.signal)
  await context.confirm(`Delete the reminder ${id} permanently?`)
  await client.reminders.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

/** `reminders delete`. */
export const deleteVerb = verb('delete <id>', 'delete a reminder permanently', remove, [
  'msgctl reminders delete 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
])
