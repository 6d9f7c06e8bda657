import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { exitCodeFor, leftOutHelp } from '../../input/invalid-rows.ts'
import { duplicatesNote } from '../../input/phone-list.ts'
import { missingValues } from '../../input/placeholders.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import {
  allowMissingOption,
  type PlanOptions,
  readPlan,
  readStart,
  reportingRows,
  reportMissing,
  sourceOptions,
  startOptions,
  strictOption,
} from './plan-input.ts'
import { shownRecipients } from './recipient-list.ts'

const createdColumns = defineColumns(
  'id as Campaign, status, name, recipientCount as Recipients, scheduledAt as Scheduled',
)

interface CreateOptions extends PlanOptions {
  readonly idempotencyKey?: string
  readonly anyHour?: true
}

async function create(context: Context, name: string, typed: string, options: CreateOptions): Promise<number> {
  const idempotencyKey = validateKey(options.idempotencyKey)
  const at = readStart(context, options)
  const { people, input } = await readPlan(context, typed, options, { asksLater: at !== undefined })
  const { length } = people.recipients
  // Without the option, the service refuses the list and names the rows.
  if (options.allowMissing) reportMissing(context, missingValues(input.template, input.recipients), true)
  if (at !== undefined)
    await context.confirm(
      `Send "${name}" to ${shownRecipients(length)} at ${context.print.times.zoned(at, options.timeZone)}?`,
    )
  const client = await context.client()
  const draft = {
    name,
    ...input,
    ...(options.anyHour && { anyHour: true }),
    ...(at !== undefined && { scheduledAt: at }),
  }
  const call = client.campaigns.create.withResponse(draft, { idempotencyKey, signal: context.host.signal })
  const { data, response } = await reportingRows(context, people, call)
  noteReplay(context, response)
  await context.print.record(data.campaign, createdColumns)
  for (const note of duplicatesNote(data.campaign.duplicates)) context.note(note)
  if (at === undefined)
    context.note(`The campaign is a draft. Start it with: msgctl campaigns send ${data.campaign.id}`)
  return exitCodeFor(people.errors)
}

/** `campaigns create`. */
export const createVerb = verb(
  'create <name> <text>',
  'create a draft campaign, or with --at a scheduled one',
  create,
  [
    'msgctl campaigns create "May news" "Dear {{name}}, we have news" --csv people.csv',
    'msgctl campaigns create "May news" - --file people.json --at 2027-05-01T09:00:00+02:00 --yes < text.txt',
    'msgctl campaigns create Test "Hello" --recipients +12025550100,+12025550101',
  ],
  (command) =>
    startOptions(sourceOptions(command))
      .option('--any-hour', 'also send at night, between 22:00 and 8:00 of the recipient')
      .option(...allowMissingOption)
      .addOption(strictOption())
      .option(...idempotencyOption)
      .addHelpText('after', leftOutHelp),
)
