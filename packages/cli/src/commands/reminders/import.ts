import { limits } from '@msgctl/contract/limits'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { rejectRows, reportRejectedRows } from '../../input/row-errors.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { type ReminderRow, readReminderRows } from './csv-rows.ts'
import { type Repeat, repeats } from './fields.ts'

interface ImportOptions {
  readonly csv: string
  readonly repeat?: Repeat
  readonly from?: string
  readonly idempotencyKey?: string
}

async function importRows(context: Context, message: string, options: ImportOptions): Promise<number> {
  const idempotencyKey = checkedKey(options.idempotencyKey)
  const rows = await readAll(context, options.csv)
  await context.confirm(`Plan ${rows.length === 1 ? '1 reminder' : `${rows.length} reminders`}?`)
  const client = await context.client()
  const input = {
    message,
    ...(options.repeat && { repeat: options.repeat }),
    ...(await optionalContainerId(client, options.from)),
    rows: rows.map(({ line: _line, ...row }) => row),
  }
  const { data, response } = await client.reminders.import.withResponse(input, { idempotencyKey }).catch((error) => {
    reportRejectedRows(context, 'rows', rows, error)
    throw error
  })
  noteReplay(context, response)
  const skipped = data.skipped.map((row) => ({ line: rows[row.row]?.line ?? null, ...row }))
  for (const { line, phone, sendAt } of skipped) context.note(`line ${line}: skipped ${phone}, ${sendAt} is past`)
  const { created, batchId } = data
  await context.print.record({ created, batchId, skipped }, [
    { field: 'created', title: 'Planned' },
    { field: 'batchId', title: 'Import' },
  ])
  return skipped.length === 0 ? exitCodes.ok : exitCodes.partlyDone
}

/** The rows of the file. Tells every bad one with its line, and throws then, before anything is sent. */
async function readAll(context: Context, file: string): Promise<readonly ReminderRow[]> {
  const { good, bad } = await readReminderRows(context.host, file)
  rejectRows(context, bad)
  if (good.length > limits.reminderRows) {
    throw usageFailure(`These are ${good.length} rows; one import takes ${limits.reminderRows} at most.`)
  }
  return good
}

/** Adds `reminders import`. */
export function registerImport(reminders: Command, run: Run): void {
  addVerb(
    reminders,
    'import <text>',
    'plan one text for many people, each at a time of their own',
    'msgctl reminders import "Dear {{name}}, see you tomorrow" --csv visits.csv',
    'msgctl reminders import "Time for a check" --csv patients.csv --repeat monthly --yes',
  )
    .requiredOption('--csv <file>', 'columns phone, sendAt, label, timeZone; others are variables; - for stdin')
    .addOption(new Option('--repeat <how>', 'how often they repeat').choices(repeats))
    .option('--from <number>', 'send through this number: its id, label or phone')
    .option(...idempotencyOption('plan'))
    .addHelpText('after', '\nExit code: 0 all planned, 9 some rows were in the past and skipped.')
    .action(run(importRows))
}
