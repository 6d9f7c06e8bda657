import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
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

async function show(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const { success: _always, ...campaign } = await client.campaigns.status({ id })
  await context.print.record(campaign, detailColumns)
}

/** Adds `campaigns show`. */
export function registerShow(campaigns: Command, run: Run): void {
  addVerb(
    campaigns,
    'show <campaign>',
    'show one campaign, by its id or its name',
    `msgctl campaigns show ${example}`,
    'msgctl campaigns show "May news"',
  ).action(run(show))
}
