import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './fields.ts'
import { findReminder, resolveReminderId } from './reference.ts'

async function show(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const { signal } = context.host
  const id = await resolveReminderId(client, reference, signal)
  const reminder = await findReminder(client, id, signal)
  if (reminder === undefined) {
    throw new CliError(`There is no reminder ${reference}.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'List the reminders with: msgctl reminders list',
    })
  }
  await context.print.record(reminder, columns)
}

/** Adds `reminders show`. */
export function registerShow(reminders: Command, run: Run): void {
  addVerb(
    reminders,
    'show <id>',
    'show one reminder with its text',
    'msgctl reminders show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run(show))
}
