import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { exitCodeFor, leftOutHelp } from '../../input/invalid-rows.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { example } from './options.ts'
import {
  allowMissingOption,
  type PlanOptions,
  readStart,
  readTemplate,
  reportingRows,
  requireRecipients,
  sourceOptions,
  startOptions,
} from './plan-input.ts'
import { resolveCampaignId } from './reference.ts'

const editedColumns = defineColumns(
  'id as Campaign, status, name',
  { field: 'template', title: 'Text', long: true },
  'stats.total as Recipients, scheduledAt as Scheduled',
)

interface EditOptions extends PlanOptions {
  readonly name?: string
  readonly text?: string
  readonly unschedule?: true
  readonly anyHour?: boolean
}

async function edit(context: Context, reference: string, options: EditOptions): Promise<number> {
  const { name, text, unschedule, csv, file, recipients } = options
  const at = readStart(context, options)
  if (at !== undefined && unschedule) throw usageFailure('--at cannot be combined with --unschedule.')
  const replaces = csv !== undefined || file !== undefined || recipients !== undefined
  const template = text === undefined ? undefined : await readTemplate(context, text, options)
  const people = replaces ? await requireRecipients(context, options, { asksLater: at !== undefined }) : undefined
  const change = {
    ...(name !== undefined && { name }),
    ...(template !== undefined && { template }),
    ...(people && { recipients: [...people.recipients] }),
    ...(at !== undefined && { scheduledAt: at }),
    ...(unschedule && { scheduledAt: null }),
    ...(options.anyHour !== undefined && { anyHour: options.anyHour }),
  }
  if (Object.keys(change).length === 0) throw usageFailure('Select something to change; see --help.')
  if (at !== undefined)
    await context.confirm(`Send the campaign ${reference} at ${context.print.times.zoned(at, options.timeZone)}?`)
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  // A campaign may keep what it was created with, but a new text or new people must fit together.
  const strict = template !== undefined || people ? { strictVariables: !options.allowMissing } : {}
  const call = client.campaigns.update({ id, ...change, ...strict }, { signal: context.host.signal })
  const { campaign } = people ? await reportingRows(context, people, call) : await call
  await context.print.record(campaign, editedColumns)
  return exitCodeFor(people?.errors ?? [])
}

/** `campaigns edit`. */
export const editVerb = verb(
  'edit <campaign>',
  'change a draft or scheduled campaign',
  edit,
  [
    `msgctl campaigns edit ${example} --text "Dear {{name}}, we have moved"`,
    `msgctl campaigns edit ${example} --csv people.csv`,
    `msgctl campaigns edit ${example} --unschedule`,
  ],
  (command) =>
    startOptions(
      sourceOptions(
        command.option('--name <name>', 'new name').option('--text <text>', 'new text, or - to read it from stdin'),
      ),
    )
      .option('--any-hour', 'also send at night, between 22:00 and 8:00 of the recipient')
      .option('--no-any-hour', 'do not send at night')
      .option(...allowMissingOption)
      .option('--unschedule', 'remove the start time, so that it becomes a draft')
      .addHelpText('after', leftOutHelp),
)
