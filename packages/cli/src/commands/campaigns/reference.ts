import type { MessagingClient } from '@msgctl/client'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const shortestPrefix = 4

type Listed = Awaited<ReturnType<MessagingClient['campaigns']['list']>>['campaigns'][number]

/**
 * Returns a campaign by id, beginning of the id or unique name. Throws a CliError when no campaign or several campaigns
 * match.
 */
export async function findCampaign(client: MessagingClient, reference: string, signal?: AbortSignal): Promise<Listed> {
  const { campaigns } = await client.campaigns.list({}, { signal })
  const typed = reference.toLowerCase()
  const isPrefix = /^[0-9a-f-]+$/.test(typed) && typed.length >= shortestPrefix
  const [found, ...others] = campaigns.filter(
    ({ id, name }) => name.toLowerCase() === typed || (isPrefix && id.startsWith(typed)),
  )
  if (found === undefined) {
    throw new CliError(`Campaign ${reference} not found.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'List the campaigns with: msgctl campaigns list',
    })
  }
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw usageFailure(`Several campaigns match ${reference}: ${ids}.`, 'Use the id of one of them.')
}

/** Resolves a campaign like {@link findCampaign}. Queries the service unless the reference is a complete id. */
export async function resolveCampaignId(
  client: MessagingClient,
  reference: string,
  signal?: AbortSignal,
): Promise<string> {
  if (uuid.test(reference)) return reference.toLowerCase()
  return (await findCampaign(client, reference, signal)).id
}
