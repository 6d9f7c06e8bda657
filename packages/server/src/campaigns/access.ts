import { type CampaignStatus, campaignAllows } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Caller } from '../http/handler.ts'
import { type CampaignRow, lockCampaign } from './store.ts'

/** The one wording for a campaign that is unknown, another organization's, or of another number than the key's. */
export function noSuchCampaign() {
  return apiError('NOT_FOUND', 'There is no such campaign.')
}

/** Locks a campaign that this caller may change: a number's key only those of its own number. Throws NOT_FOUND. */
export async function lockOwn(trx: Db, caller: Caller, id: string): Promise<CampaignRow> {
  const campaign = await lockCampaign(trx, caller.organizationId, id)
  if (!campaign) throw noSuchCampaign()
  if (caller.containerId !== null && campaign.containerId !== caller.containerId) throw noSuchCampaign()
  return campaign
}

/** Throws CAMPAIGN_INVALID_STATE unless the campaign's state takes this action (specification, "Campaign statuses"). */
export function demandState({ status }: Pick<CampaignRow, 'status'>, action: keyof typeof campaignAllows): void {
  const allowed: readonly CampaignStatus[] = campaignAllows[action]
  if (allowed.includes(status)) return
  const message = `The campaign is ${status}; ${action} takes one that is ${allowed.join(' or ')}.`
  throw apiError('CAMPAIGN_INVALID_STATE', message, { status })
}
