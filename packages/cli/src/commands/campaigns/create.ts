import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { duplicatesNote } from '../../input/phone-list.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import {
  type PlanOptions,
  peopleFrom,
  reportingRows,
  requireInstant,
  sourceOptions,
  strictOption,
  textFrom,
} from './plan-input.ts'

const createdColumns: readonly Column[] = [
  { field: 'id', title: 'Campaign' },
  { field: 'status', title: 'Status' },
  { field: 'name', title: 'Name' },
  { field: 'recipientCount', title: 'People' },
  { field: 'scheduledAt', title: 'Starts' },
]

interface CreateOptions extends PlanOptions {
  readonly idempotencyKey?: string
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

/** Adds `campaigns create`. */
export function registerCreate(campaigns: Command, run: Run): void {
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
}
