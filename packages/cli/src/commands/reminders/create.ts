import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { columns, type Fields, fieldOptions, toInput } from './fields.ts'

interface CreateOptions extends Fields {
  readonly at: string
  readonly from?: string
  readonly idempotencyKey?: string
}

async function create(context: Context, phone: string, message: string, options: CreateOptions): Promise<void> {
  const idempotencyKey = validateKey(options.idempotencyKey)
  const fields = toInput(options)
  const client = await context.client()
  const input = { phone, message, sendAt: options.at, ...fields, ...(await optionalContainerId(client, options.from)) }
  const { data, response } = await client.reminders.create.withResponse(input, { idempotencyKey })
  noteReplay(context, response)
  await context.print.record(data.reminder, columns)
}

/** Adds `reminders create`. */
export function registerCreate(reminders: Command, run: Run): void {
  fieldOptions(
    addVerb(
      reminders,
      'create <phone> <text>',
      'schedule a message to one recipient',
      'msgctl reminders create +12025550100 "Dear {{name}}, see you at 3" --at 2027-01-31T09:00:00Z --var name=Jane',
      'msgctl reminders create +4930123456 "The rent" --at 2027-01-31T09:00:00+01:00 --repeat monthly --time-zone Europe/Berlin',
    ).requiredOption('--at <time>', 'time to send, with Z or an offset'),
  )
    .option('--from <number>', 'send through this number: id, label or phone')
    .option(...idempotencyOption)
    .action(run(create))
}
