import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { canPrompt } from '../../host.ts'
import { missingValues } from '../../input/placeholders.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { example, fromOption, type Through } from './options.ts'
import { allowMissingOption, reportMissing } from './plan-input.ts'
import { shownRecipients } from './recipient-list.ts'
import { resolveCampaignId } from './reference.ts'

interface SendOptions extends Through {
  readonly allowMissing?: true
}

type Details = Awaited<ReturnType<MessagingClient['campaigns']['status']>>

/** Returns the question with the name of the campaign, its recipients and the expected duration. */
async function question({ host }: Context, client: MessagingClient, campaign: Details): Promise<string> {
  const { name, template, recipients } = campaign
  if (!canPrompt(host)) return `Send "${name}" to ${shownRecipients(recipients.length)}?`
  const list = recipients.map(({ phone, variables }) => ({ phone, variables }))
  // The estimate is a courtesy: a campaign can be started without it.
  const estimate = await client.campaigns
    .preview({ name, template, recipients: list })
    .then(({ estimatedDuration }) => `, which takes about ${estimatedDuration}`)
    .catch(() => '')
  return `Send "${name}" to ${shownRecipients(recipients.length)}${estimate}?`
}

async function send(context: Context, reference: string, { from, allowMissing }: SendOptions): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const campaign = await client.campaigns.status({ id }, { signal: context.host.signal })
  if (campaign.status === 'draft' || campaign.status === 'scheduled') {
    reportMissing(context, missingValues(campaign.template, campaign.recipients), allowMissing)
  }
  const through = await optionalContainerId(client, from)
  if (!context.options.yes && !context.options.dryRun) await context.confirm(await question(context, client, campaign))
  const { success: _always, ...started } = await client.campaigns.send({ id, ...through })
  await context.print.record(
    started,
    defineColumns('campaignId as Campaign, status, totalRecipients as Recipients, estimatedDuration'),
  )
  context.note(`Watch it with: msgctl campaigns watch ${id}`)
}

/** `campaigns send`. */
export const sendVerb = verb(
  'send <campaign>',
  'start a campaign',
  send,
  [`msgctl campaigns send ${example}`],
  (command) => command.option(...fromOption).option(...allowMissingOption),
)
