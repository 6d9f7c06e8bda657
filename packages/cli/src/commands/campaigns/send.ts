import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { example, fromOption, type Through } from './options.ts'
import { resolveCampaignId } from './reference.ts'

async function send(context: Context, reference: string, { from }: Through): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const through = await optionalContainerId(client, from)
  await context.confirm('Start this campaign and send it to all its recipients?')
  const { success: _always, ...started } = await client.campaigns.send({ id, ...through })
  await context.print.record(started, [
    { field: 'campaignId', title: 'Campaign' },
    { field: 'status', title: 'Status' },
    { field: 'totalRecipients', title: 'Recipients' },
    { field: 'estimatedDuration', title: 'Estimated duration' },
  ])
  context.note(`Watch it with: msgctl campaigns watch ${id}`)
}

/** Adds `campaigns send`. */
export function registerSend(campaigns: Command, run: Run): void {
  addVerb(campaigns, 'send <campaign>', 'start a campaign', `msgctl campaigns send ${example}`)
    .option(...fromOption)
    .action(run(send))
}
