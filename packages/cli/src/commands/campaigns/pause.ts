import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

async function pause(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const { success: _always, ...paused } = await client.campaigns.pause({ id })
  await context.print.record(paused, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRemoved', title: 'Removed from the queue' },
  ])
}

/** `campaigns pause`. */
export const pauseVerb = verb('pause <campaign>', 'pause a campaign', pause, [`msgctl campaigns pause ${example}`])
