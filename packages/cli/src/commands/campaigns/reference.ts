import type { MessagingClient } from '@msgctl/client'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The id of the campaign that a person means: by the id itself, or by its name when no other one has it. Asks the
 * service for its campaigns unless it is an id. Throws a CliError for none or several.
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
    throw new CliError(`There is no campaign ${reference}.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'msgctl campaigns list shows the campaigns there are.',
    })
  }
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw usageFailure(`${reference} means several campaigns: ${ids}.`, 'Give the id of one of them.')
}
