import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { reminderStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { rejectRows, reportRejectedRows } from '../../input/row-errors.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId, resolveContainerId } from '../numbers/number-reference.ts'
import { type ReminderRow, readReminderRows } from './reminder-rows.ts'

const repeats = ['none', 'daily', 'weekly', 'monthly'] as const
type Repeat = (typeof repeats)[number]

const columns: readonly Column[] = [
  { field: 'id', title: 'Reminder' },
  { field: 'status', title: 'Status' },
  { field: 'sendAt', title: 'Sent at' },
  { field: 'repeat', title: 'Repeat' },
  { field: 'timeZone', title: 'Time zone' },
  { field: 'phone', title: 'To' },
  { field: 'label', title: 'Label' },
  { field: 'message', title: 'Text', long: true },
  { field: 'sendCount', title: 'Sent' },
  { field: 'lastSentAt', title: 'Last sent' },
  { field: 'lastMessageStatus', title: 'Last message' },
  { field: 'lastError', title: 'Last error' },
]
const listed = ['sendAt', 'status', 'repeat', 'phone', 'label', 'lastError', 'id']
const listColumns = listed.flatMap((field) => columns.filter((column) => column.field === field))

interface Filters extends ListOptions {
  readonly status?: (typeof reminderStatuses)[number]
  readonly search?: string
}

async function list(context: Context, { status, search, ...paging }: Filters): Promise<void> {
  const client = await context.client()
  const input = { ...(status && { status }), ...(search !== undefined && { search }) }
  const options = { signal: context.host.signal }
  const found = listRows(paging, {
    all: (limit) => client.reminders.list.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.reminders.list({ ...input, page, limit }, options)).reminders,
  })
  await context.print.list(found, listColumns)
}

interface Fields {
  readonly repeat?: Repeat
  readonly label?: string
  readonly timeZone?: string
  readonly var: readonly string[]
}

/** What create and edit share, as it was typed. Throws a usage failure for a variable that is no pair. */
function inputOf({ repeat, label, timeZone, var: pairs }: Fields) {
  const variables = Object.fromEntries(pairs.map(pair))
  return {
    ...(repeat && { repeat }),
    ...(label !== undefined && { label }),
    ...(timeZone !== undefined && { timeZone }),
    ...(pairs.length > 0 && { variables }),
  }
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw usageFailure('--var takes name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

interface CreateOptions extends Fields {
  readonly at: string
  readonly from?: string
  readonly idempotencyKey?: string
}

async function create(context: Context, phone: string, message: string, options: CreateOptions): Promise<void> {
  const idempotencyKey = checkedKey(options.idempotencyKey)
  const fields = inputOf(options)
  const client = await context.client()
  const input = { phone, message, sendAt: options.at, ...fields, ...(await optionalContainerId(client, options.from)) }
  const { data, response } = await client.reminders.create.withResponse(input, { idempotencyKey })
  noteReplay(context, response)
  await context.print.record(data.reminder, columns)
}

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

async function cancel(context: Context, id: string): Promise<void> {
  const client = await context.client()
  const { reminder } = await client.reminders.cancel({ id })
  await context.print.record(reminder, columns)
}

async function remove(context: Context, id: string): Promise<void> {
  await context.confirm(`Delete the reminder ${id} for good?`)
  const client = await context.client()
  await client.reminders.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

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

function fieldOptions(command: Command): Command {
  return command
    .addOption(new Option('--repeat <how>', 'how often it repeats').choices(repeats))
    .option('--label <text>', 'a name to find it by')
    .option('--time-zone <zone>', 'repeats keep the wall-clock time of this zone, such as Europe/Berlin')
    .option('--var <name=value>', 'a value for {{name}} in the text', (value, all: string[]) => [...all, value], [])
}

export function register(reminders: Command, run: Run): void {
  listOptions(
    addVerb(
      reminders,
      'list',
      'list reminders, upcoming ones first',
      'msgctl reminders list --status scheduled',
      'msgctl reminders list --search "dentist" --json',
    )
      .addOption(new Option('--status <status>', 'only this status').choices(reminderStatuses))
      .option('--search <text>', 'part of the phone or of the label'),
  ).action(run(list))

  fieldOptions(
    addVerb(
      reminders,
      'create <phone> <text>',
      'plan a message to one person',
      'msgctl reminders create +12025550100 "Dear {{name}}, see you at 3" --at 2027-01-31T09:00:00Z --var name=Jane',
      'msgctl reminders create +4930123456 "The rent" --at 2027-01-31T09:00:00+01:00 --repeat monthly --time-zone Europe/Berlin',
    ).requiredOption('--at <time>', 'when to send it, with Z or an offset'),
  )
    .option('--from <number>', 'send through this number: its id, label or phone')
    .option(...idempotencyOption('plan'))
    .action(run(create))

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

  addVerb(
    reminders,
    'cancel <id>',
    'stop a scheduled reminder; it stays in the list',
    'msgctl reminders cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run(cancel))

  addVerb(
    reminders,
    'delete <id>',
    'remove a reminder for good',
    'msgctl reminders delete 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ).action(run(remove))
}
