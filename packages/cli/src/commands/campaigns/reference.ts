import type { MessagingClient } from '@msgctl/client'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Resolves a campaign by id or by unique name. Queries the service unless the reference is an id. Throws a CliError when
 * no campaign or several campaigns match.
 */
export async function resolveCampaignId(
  client: MessagingClient,
  reference: string,
  signal?: AbortSignal,
): Promise<string> {
  if (uuid.test(reference)) return reference.toLowerCase()
  const { campaigns } = await client.campaigns.list({}, { signal })
  const name = reference.toLowerCase()
  const [found, ...others] = campaigns.filter((campaign) => campaign.name.toLowerCase() === name)
  if (found === undefined) {
    throw new CliError(`Campaign ${reference} not found.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'List the campaigns with: msgctl campaigns list',
    })
  }
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw usageFailure(`Several campaigns match ${reference}: ${ids}.`, 'Use the id of one of them.')
}
