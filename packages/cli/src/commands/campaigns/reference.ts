import type { MessagingClient } from '@msgctl/client'
import { isId, isNamed, requireOne } from '../../input/id-prefix.ts'

type Listed = Awaited<ReturnType<MessagingClient['campaigns']['list']>>['campaigns'][number]

/**
 * Returns a campaign by id, beginning of the id or unique name. Throws a CliError when no campaign or several campaigns
 * match.
 */
export async function findCampaign(client: MessagingClient, reference: string, signal?: AbortSignal): Promise<Listed> {
  const { campaigns } = await client.campaigns.list({}, { signal })
  const found = campaigns.filter((campaign) => isNamed(campaign, reference))
  return requireOne(found, reference, { one: 'Campaign', plural: 'campaigns' })
}

/** Resolves a campaign like {@link findCampaign}. Queries the service unless the reference is a complete id. */
export async function resolveCampaignId(
  client: MessagingClient,
  reference: string,
  signal?: AbortSignal,
): Promise<string> {
  if (isId(reference)) return reference.toLowerCase()
  return (await findCampaign(client, reference, signal)).id
}
