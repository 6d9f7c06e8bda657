import type { OutputOf } from '@msgctl/contract'
import { findTool } from '#ai-clients/mcp/catalogue.ts'
import { listRecipients } from '#sending/campaigns/recipient-store.ts'
import { renderFor } from '#sending/campaigns/recipients.ts'
import { listCampaigns } from '#sending/campaigns/store.ts'
import { parseTemplate } from '#sending/messages/template.ts'
import type { Services } from '#services.ts'
import type { ActionRow } from './action-store.ts'
import { argumentsOf } from './actions.ts'

type Preview = OutputOf<'mcp', 'action'>['preview']

const sampleCount = 3

/** Returns what an action would send. Nothing is left of it once the action has ended. */
export async function previewOf(services: Services, action: ActionRow): Promise<Preview> {
  const { reason, organizationId } = action
  const args = argumentsOf(services, action)
  const effect = findTool(action.tool)?.effect
  if (!args || !effect) return { reason, recipient: null, text: null, people: 0, samples: [] }
  if (effect.waits === 'always') return { reason, ...(await campaignPreview(services, organizationId, args)) }
  return { reason, recipient: effect.recipient(args), text: effect.text(args), people: 1, samples: [] }
}

async function campaignPreview(
  { db }: Services,
  organizationId: string,
  { campaignId }: Record<string, unknown>,
): Promise<Omit<Preview, 'reason'>> {
  const [campaign] = await listCampaigns(db, { organizationId, containerId: null }, String(campaignId))
  if (!campaign) return { recipient: null, text: null, people: 0, samples: [] }
  const people = await listRecipients(db, organizationId, campaign.id)
  const template = parseTemplate(campaign.template)
  const samples = people.slice(0, sampleCount).map((one) => ({ phone: one.phone, text: renderFor(template, one).text }))
  return { recipient: null, text: null, people: people.length, samples }
}
