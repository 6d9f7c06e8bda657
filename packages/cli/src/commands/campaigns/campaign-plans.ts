import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { duplicatesNote } from '../../input/phone-list.ts'
import { readText } from '../../input/read-input.ts'
import { rejectRows, reportRejectedRows } from '../../input/row-errors.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { instantFault } from '../reminders/reminder-rows.ts'
import { type People, type PeopleSource, readPeople } from './campaign-people.ts'
import { resolveCampaignId } from './campaign-reference.ts'

const createdColumns: readonly Column[] = [
  { field: 'id', title: 'Campaign' },
  { field: 'status', title: 'Status' },
  { field: 'name', title: 'Name' },
  { field: 'recipientCount', title: 'People' },
  { field: 'scheduledAt', title: 'Starts' },
]

const editedColumns: readonly Column[] = [
  { field: 'id', title: 'Campaign' },
  { field: 'status', title: 'Status' },
  { field: 'name', title: 'Name' },
  { field: 'template', title: 'Text', long: true },
  { field: 'stats.total', title: 'People' },
  { field: 'scheduledAt', title: 'Starts' },
]

const previewColumns: readonly Column[] = [
  { field: 'total', title: 'Given' },
  { field: 'unique', title: 'People' },
  { field: 'duplicates', title: 'Repeated' },
  { field: 'longest', title: 'Longest text' },
  { field: 'estimatedDuration', title: 'Takes about' },
]

const missingColumns: readonly Column[] = [
  { field: 'key', title: 'Placeholder' },
  { field: 'recipients', title: 'People without a value' },
]

const sampleColumns: readonly Column[] = [
  { field: 'phone', title: 'To' },
  { field: 'text', title: 'Text' },
]

interface PlanOptions extends PeopleSource {
  readonly at?: string
  readonly strict?: true
}

interface CreateOptions extends PlanOptions {
  readonly idempotencyKey?: string
}

function requireInstant(at: string | undefined): void {
  const fault = at === undefined ? undefined : instantFault(at)
  if (fault !== undefined) throw usageFailure(`--at: ${fault}.`)
}

function textFrom({ host }: Context, text: string, { csv, file }: PeopleSource): Promise<string> {
  if (text === '-' && (csv === '-' || file === '-')) {
    throw usageFailure('The text and the people cannot both come from stdin.')
  }
  return readText(host, text)
}

/** Everybody of the source. Tells every bad row with its line, and throws then, before anything is sent. */
async function peopleFrom(context: Context, source: PeopleSource): Promise<People> {
  const people = await readPeople(context.host, source)
  rejectRows(context, people.bad)
  return people
}

/** Does `work`, and tells the lines of the rows when the service refuses some. */
async function reportingRows<T>(context: Context, { places }: People, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    reportRejectedRows(context, 'recipients', places, error)
    throw error
  })
}

async function create(context: Context, name: string, typed: string, options: CreateOptions): Promise<void> {
  const idempotencyKey = checkedKey(options.idempotencyKey)
  const { at, strict } = options
  requireInstant(at)
  const template = await textFrom(context, typed, options)
  const people = await peopleFrom(context, options)
  const { length } = people.recipients
  if (at !== undefined)
    await context.confirm(`Send this to ${length === 1 ? '1 person' : `${length} people`} at ${at}?`)
  const client = await context.client()
  const input = {
    name,
    template,
    recipients: [...people.recipients],
    ...(at !== undefined && { scheduledAt: at }),
    ...(strict && { strictVariables: true }),
  }
  const call = client.campaigns.create.withResponse(input, { idempotencyKey, signal: context.host.signal })
  const { data, response } = await reportingRows(context, people, call)
  noteReplay(context, response)
  await context.print.record(data.campaign, createdColumns)
  for (const note of duplicatesNote(data.campaign.duplicates)) context.note(note)
  if (at === undefined) context.note(`Nothing is sent yet. Start it with: msgctl campaigns send ${data.campaign.id}`)
}

async function preview(context: Context, typed: string, options: PlanOptions): Promise<void> {
  requireInstant(options.at)
  const template = await textFrom(context, typed, options)
  const people = await peopleFrom(context, options)
  const client = await context.client()
  const input = {
    name: 'preview',
    template,
    recipients: [...people.recipients],
    ...(options.strict && { strictVariables: true }),
  }
  const call = client.campaigns.preview(input, { signal: context.host.signal })
  const { success: _always, ...result } = await reportingRows(context, people, call)
  const { print } = context
  await print.record(result, previewColumns)
  if (print.format !== 'table' || context.options.fields !== undefined) return
  if (result.missingVariables.length > 0) await print.text('\n')
  await print.list(result.missingVariables, missingColumns)
  await print.text('\n')
  await print.list(result.samples, sampleColumns)
}

interface EditOptions extends PlanOptions {
  readonly name?: string
  readonly text?: string
  readonly unschedule?: true
}

async function edit(context: Context, reference: string, options: EditOptions): Promise<void> {
  const { name, text, at, unschedule, csv, file, recipients } = options
  requireInstant(at)
  if (at !== undefined && unschedule) throw usageFailure('Give --at or --unschedule, not both.')
  const replaces = csv !== undefined || file !== undefined || recipients !== undefined
  const template = text === undefined ? undefined : await textFrom(context, text, options)
  const people = replaces ? await peopleFrom(context, options) : undefined
  const change = {
    ...(name !== undefined && { name }),
    ...(template !== undefined && { template }),
    ...(people && { recipients: [...people.recipients] }),
    ...(at !== undefined && { scheduledAt: at }),
    ...(unschedule && { scheduledAt: null }),
  }
  if (Object.keys(change).length === 0) throw usageFailure('Say what to change.')
  if (at !== undefined) await context.confirm(`Send this campaign at ${at}?`)
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const call = client.campaigns.update({ id, ...change }, { signal: context.host.signal })
  const { campaign } = people ? await reportingRows(context, people, call) : await call
  await context.print.record(campaign, editedColumns)
}

function sourceOptions(command: Command): Command {
  return command
    .option('--csv <file>', 'a column phone, every other one is a variable; - for stdin')
    .option('--file <file>', 'JSON: a list of phones, or of objects with phone and variables; - for stdin')
    .option('--recipients <phones>', 'phones with commas between them')
}

const strictOption = ['--strict', 'refuse when somebody lacks the value of a placeholder'] as const
const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

/** Adds the verbs of `campaigns` that plan one. */
export function registerPlans(campaigns: Command, run: Run): void {
  sourceOptions(
    addVerb(
      campaigns,
      'create <name> <text>',
      'plan a campaign: a draft, or with --at one that starts by itself',
      'msgctl campaigns create "May news" "Dear {{name}}, we have news" --csv people.csv',
      'msgctl campaigns create "May news" - --file people.json --at 2027-05-01T09:00:00+02:00 --yes < text.txt',
      'msgctl campaigns create Test "Hello" --recipients +12025550100,+12025550101',
    ),
  )
    .option('--at <time>', 'when it starts, with Z or an offset')
    .option(...strictOption)
    .option(...idempotencyOption('plan'))
    .action(run(create))
  sourceOptions(
    addVerb(
      campaigns,
      'preview <text>',
      'tell what would be sent, to whom and for how long; nothing is stored',
      'msgctl campaigns preview "Dear {{name}}, we have news" --csv people.csv',
    ),
  )
    .option(...strictOption)
    .action(run(preview))
  sourceOptions(
    addVerb(
      campaigns,
      'edit <campaign>',
      'change a draft or scheduled campaign; what is left out stays',
      `msgctl campaigns edit ${example} --text "Dear {{name}}, we have moved"`,
      `msgctl campaigns edit ${example} --csv people.csv`,
      `msgctl campaigns edit ${example} --unschedule`,
    )
      .option('--name <name>', 'its name')
      .option('--text <text>', 'its text, or - to read it from stdin'),
  )
    .option('--at <time>', 'when it starts, with Z or an offset')
    .option('--unschedule', 'make it a draft that does not start by itself')
    .action(run(edit))
}
