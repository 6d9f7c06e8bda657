import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { example } from './options.ts'
import { shownRecipients } from './recipient-list.ts'
import { findCampaign } from './reference.ts'

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const { id, name, stats } = await findCampaign(client, reference, context.host.signal)
  await context.confirmTyped(
    `Delete the campaign "${name}" with its message history of ${shownRecipients(stats.total)}?`,
    name,
  )
  await client.campaigns.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

/** `campaigns delete`. */
export const deleteVerb = verb('delete <campaign>', 'delete a campaign', remove, [
  `msgctl campaigns delete ${example} --yes`,
])
