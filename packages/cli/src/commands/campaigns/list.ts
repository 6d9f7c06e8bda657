import type { Context } from '../../context.ts'
import {
  type CampaignCounts,
  campaignBar,
  campaignLegend,
  type DrawStyle,
  drawStyle,
  sparkline,
} from '../../output/bars.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
import { columns, example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

const width = 60
const minuteMs = 60_000

/** The messages of a campaign that were sent or failed in one minute. */
interface Minute {
  readonly at: string
  readonly sent: number
  readonly failed: number
}

/** Returns the messages of each of the last minutes up to the last one in which something was sent, oldest first. */
function lastMinutes(minutes: readonly Minute[]): number[] {
  const byMinute = new Map(minutes.map(({ at, sent, failed }) => [Date.parse(at) / minuteMs, sent + failed]))
  const [first = 0, last = 0] = [Math.min(...byMinute.keys()), Math.max(...byMinute.keys())]
  const count = Math.min(width, last - first + 1)
  return Array.from({ length: count }, (_, index) => byMinute.get(last - count + 1 + index) ?? 0)
}

/** Returns the lines that draw a campaign: its progress, what the parts of it mean, and what left in each minute. */
export function chartLines(counts: CampaignCounts, minutes: readonly Minute[], style: DrawStyle): string[] {
  const plain = { ...style, colours: false }
  const lines = [campaignBar(counts, width, plain), campaignLegend(counts, plain)]
  if (minutes.length === 0) return lines
  const perMinute = lastMinutes(minutes)
  return [...lines, '', `${sparkline(perMinute, plain.glyphs)}  at most ${Math.max(...perMinute)} in a minute`]
}

async function list(context: Context): Promise<void> {
  const client = await context.client()
  const { campaigns } = await client.campaigns.list({}, { signal: context.host.signal })
  await context.print.list(
    campaigns.toReversed(),
    columns,
    'There are no campaigns. Create one with: msgctl campaigns create',
  )
}

const detailColumns = defineColumns(
  ...columns,
  { field: 'template', title: 'Text', long: true },
  'startError as Start failed, createdAt as Created, startedAt as Started, completedAt as Completed',
)

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

/** `campaigns list|show`. */
export const listVerbs = verbs(
  verb('list', 'list campaigns, newest first', list, ['msgctl campaigns list']),
  verb(
    'show <campaign>',
    'show one campaign, by its id or its name',
    show,
    [`msgctl campaigns show ${example}`, 'msgctl campaigns show "May news"', 'msgctl campaigns show "May news" --web'],
    (command) => command.option(...webOption),
  ),
)
