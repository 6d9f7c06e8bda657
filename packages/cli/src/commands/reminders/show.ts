import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns } from './fields.ts'
import { resolveReminderId } from './reference.ts'

async function show(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const { signal } = context.host
  const id = await resolveReminderId(client, reference, signal)
  const { reminder } = await client.reminders.get({ id }, { signal })
  await context.print.record(reminder, columns)
}

/** `reminders show`. */
export const showVerb = verb('show <id>', 'show one reminder with its text', show, [
  'msgctl reminders show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
])
