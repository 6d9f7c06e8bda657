import { limits } from '@msgctl/contract/limits'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import {
  exitCodeFor,
  type InvalidRowOptions,
  reportRejectedRows,
  resolveInvalidRows,
  skipInvalidOption,
} from '../../input/invalid-rows.ts'
import { reportReadings } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { allowMissingOption } from '../campaigns/plan-input.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { type ReminderRows, readReminderRows } from './csv-rows.ts'
import { type Repeat, repeats } from './fields.ts'

interface ImportOptions extends InvalidRowOptions {
  readonly csv: string
  readonly repeat?: Repeat
  readonly from?: string
  readonly idempotencyKey?: string
  readonly allowMissing?: true
}

async function importRows(context: Context, message: string, options: ImportOptions): Promise<number> {
  const idempotencyKey = validateKey(options.idempotencyKey)
  const { valid: rows, errors } = await requireRows(context, options)
  await context.confirm(`Schedule ${rows.length === 1 ? '1 reminder' : `${rows.length} reminders`}?`)
  const client = await context.client()
  const input = {
    message,
    ...(options.repeat && { repeat: options.repeat }),
    ...(await optionalContainerId(client, options.from)),
    rows: rows.map(({ line: _line, ...row }) => row),
    strictVariables: !options.allowMissing,
  }
  const { data, response } = await client.reminders.import.withResponse(input, { idempotencyKey }).catch((error) => {
    reportRejectedRows(context, 'rows', rows, error)
    throw error
  })
  noteReplay(context, response)
  const skipped = data.skipped.map((row) => ({ line: rows[row.row]?.line ?? null, ...row }))
  for (const { line, phone, sendAt } of skipped)
    context.note(`line ${line}: skipped ${phone}: ${sendAt} is in the past`)
  const { created, batchId } = data
  await context.print.record({ created, batchId, skipped }, defineColumns('created, batchId as Import'))
  return exitCodeFor([...skipped, ...errors])
}

/** Reads the rows of the file, and decides about invalid ones before anything is sent. */
async function requireRows(context: Context, options: ImportOptions): Promise<ReminderRows> {
  const rows = await readReminderRows(context.host, options.csv)
  const { valid, phones, errors } = rows
  await resolveInvalidRows(context, { valid: valid.length, errors }, options)
  await reportReadings(context, phones, { asksLater: true })
  if (valid.length > limits.reminderRows) {
    throw usageFailure(`The file has ${valid.length} rows; the maximum of an import is ${limits.reminderRows}.`)
  }
  return rows
}

/** `reminders import`. */
export const importVerb = verb(
  'import <text>',
  'schedule one text for many recipients, each at an individual time',
  importRows,
  [
    'msgctl reminders import "Dear {{name}}, see you tomorrow" --csv visits.csv',
    'msgctl reminders import "Time for a check" --csv patients.csv --repeat monthly --yes',
  ],
  (command) =>
    command
      .requiredOption(
        '--csv <file>',
        'CSV file with columns phone and sendAt, optionally label and timeZone; others are variables; - for stdin',
      )
      .addOption(new Option('--repeat <how>', 'repetition').choices(repeats))
      .option('--from <number>', 'send through this number: id, label or phone')
      .option(...skipInvalidOption)
      .option(...allowMissingOption)
      .option(...idempotencyOption)
      .addHelpText('after', '\nExit code: 0 all scheduled, 9 rows were left out, or skipped as past.'),
)
