import type { Context } from '../../context.ts'
import { drawStyle } from '../../output/bars.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
import { chartLines } from './chart.ts'
import { columns, example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

const detailColumns: readonly Column[] = [
  ...columns,
  { field: 'template', title: 'Text', long: true },
  { field: 'startError', title: 'Start failed' },
  { field: 'createdAt', title: 'Created' },
  { field: 'startedAt', title: 'Started' },
  { field: 'completedAt', title: 'Completed' },
]

async function show(context: Context, reference: string, { web }: WebOption): Promise<void> {
  const client = await context.client()
  const { signal } = context.host
  const id = await resolveCampaignId(client, reference, signal)
  if (web) return openPage(context, `campaigns/${id}`)
  const { success: _always, ...campaign } = await client.campaigns.status({ id }, { signal })
  await context.print.record(campaign, detailColumns)
  if (context.print.format !== 'table' || context.options.fields !== undefined || !campaign.startedAt) return
  const { minutes } = await client.campaigns.progress({ id }, { signal })
  await context.print.text(`\n${chartLines(campaign.stats, minutes, drawStyle(context.host)).join('\n')}\n`)
}

/** `campaigns show`. */
export const showVerb = verb(
  'show <campaign>',
  'show one campaign, by its id or its name',
  show,
  [`msgctl campaigns show ${example}`, 'msgctl campaigns show "May news"', 'msgctl campaigns show "May news" --web'],
  (command) => command.option(...webOption),
)
