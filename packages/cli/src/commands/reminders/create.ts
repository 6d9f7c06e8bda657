import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { missingValues } from '../../input/placeholders.ts'
import { phoneComesFirst, readPhone } from '../../input/written-phone.ts'
import { verb } from '../../program.ts'
import { allowMissingOption, reportMissing } from '../campaigns/plan-input.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { columns, type Fields, fieldOptions, readSendAt, toInput } from './fields.ts'

interface CreateOptions extends Fields {
  readonly at: string
  readonly from?: string
  readonly idempotencyKey?: string
  readonly allowMissing?: true
}

async function create(context: Context, to: string, message: string, options: CreateOptions): Promise<void> {
  const idempotencyKey = validateKey(options.idempotencyKey)
  const phone = await readPhone(context, to, { advice: phoneComesFirst })
  const fields = toInput(options)
  reportMissing(context, missingValues(message, [fields]), options.allowMissing)
  const sendAt = readSendAt(context, options.at, options)
  const client = await context.client()
  const through = await optionalContainerId(client, options.from)
  const input = { phone, message, sendAt, ...fields, ...through, strictVariables: !options.allowMissing }
  const { data, response } = await client.reminders.create.withResponse(input, { idempotencyKey })
  noteReplay(context, response)
  await context.print.record(data.reminder, columns)
}

/** `reminders create`. */
export const createVerb = verb(
  'create <phone> <text>',
  'schedule a message to one recipient',
  create,
  [
    'msgctl reminders create +12025550100 "Dear {{name}}, see you at 3" --at 2027-01-31T09:00:00Z --var name=Jane',
    'msgctl reminders create +4930123456 "The rent" --at "2027-01-31 09:00" --repeat monthly --time-zone ' +
      'Europe/Berlin',
  ],
  (command) =>
    fieldOptions(command.requiredOption('--at <time>', 'time to send: +2h, "tomorrow 9:00", or a date with time'))
      .option('--from <number>', 'send through this number: id, label or phone')
      .option(...allowMissingOption)
      .option(...idempotencyOption),
)
