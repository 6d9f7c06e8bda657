import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  await context.confirm('Cancel this campaign? This cannot be undone.')
  const { success: _always, ...cancelled } = await client.campaigns.cancel({ id })
  await context.print.record(cancelled, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRemoved', title: 'Removed from the queue' },
  ])
}

/** Adds `campaigns cancel`. */
export function registerCancel(campaigns: Command, run: Run): void {
  addVerb(campaigns, 'cancel <campaign>', 'cancel a campaign', `msgctl campaigns cancel ${example} --yes`).action(
    run(cancel),
  )
}
