import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { resolveContainerId } from '../numbers/reference.ts'
import { columns, type Fields, fieldOptions, inputOf } from './fields.ts'

interface EditOptions extends Fields {
  readonly at?: string
  readonly phone?: string
  readonly text?: string
  readonly from?: string
}

async function edit(context: Context, id: string, options: EditOptions): Promise<void> {
  const { at, phone, text, from } = options
  const fields = {
    ...inputOf(options),
    ...(at !== undefined && { sendAt: at }),
    ...(phone !== undefined && { phone }),
    ...(text !== undefined && { message: text }),
  }
  if (Object.keys(fields).length === 0 && from === undefined) throw usageFailure('Say what to change.')
  const client = await context.client()
  const containerId = from === undefined ? {} : { containerId: await numberOf(client, from) }
  const { reminder } = await client.reminders.update({ id, ...fields, ...containerId })
  await context.print.record(reminder, columns)
}

async function numberOf(client: MessagingClient, from: string): Promise<string | null> {
  return from === 'default' ? null : resolveContainerId(client, from)
}

/** Adds `reminders edit`. */
export function registerEdit(reminders: Command, run: Run): void {
  fieldOptions(
    addVerb(
      reminders,
      'edit <id>',
      'change a reminder; --at arms a finished one again',
      'msgctl reminders edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --text "See you at 4"',
      'msgctl reminders edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --at 2027-02-01T09:00:00Z',
    )
      .option('--at <time>', 'when to send it, with Z or an offset')
      .option('--phone <phone>', 'to whom')
      .option('--text <text>', 'the text'),
  )
    .option('--from <number>', 'send through this number: its id, label or phone; default for the default number')
    .action(run(edit))
}
