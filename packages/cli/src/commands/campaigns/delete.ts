import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  await context.confirm(`Delete the campaign ${reference} and its message history?`)
  await client.campaigns.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

/** Adds `campaigns delete`. */
export function registerDelete(campaigns: Command, run: Run): void {
  addVerb(campaigns, 'delete <campaign>', 'delete a campaign', `msgctl campaigns delete ${example} --yes`).action(
    run(remove),
  )
}
