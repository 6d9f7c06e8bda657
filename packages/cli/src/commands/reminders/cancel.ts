import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './fields.ts'
import { resolveReminderId } from './reference.ts'

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveReminderId(client, reference, context.host.signal)
  const { reminder } = await client.reminders.cancel({ id })
  await context.print.record(reminder, columns)
}

/** Adds `reminders cancel`. */
export function registerCancel(reminders: Command, run: Run): void {
  addVerb(
    reminders,
    'cancel <id>',
    'cancel a scheduled reminder; it stays in the list',
    'msgctl reminders cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run(cancel))
}
