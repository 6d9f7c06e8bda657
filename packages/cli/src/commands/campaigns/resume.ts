import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { example, fromOption, type Through } from './options.ts'
import { resolveCampaignId } from './reference.ts'

async function resume(context: Context, reference: string, { from }: Through): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const through = await optionalContainerId(client, from)
  const { success: _always, ...resumed } = await client.campaigns.resume({ id, ...through })
  await context.print.record(resumed, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRequeued', title: 'Queued again' },
  ])
}

/** `campaigns resume`. */
export const resumeVerb = verb(
  'resume <campaign>',
  'resume a paused campaign',
  resume,
  [`msgctl campaigns resume ${example}`],
  (command) => command.option(...fromOption),
)
