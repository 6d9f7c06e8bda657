import type { CampaignStatus } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Caller } from '../http/handler.ts'
import { type CampaignAction, transition } from './rules.ts'
import { type CampaignRow, lockCampaign } from './store.ts'

/** The one wording for a campaign that is unknown, another organization's, or of another number than the key's. */
export function noSuchCampaign() {
  return apiError('NOT_FOUND', 'There is no such campaign.')
}

/**
 * Locks a campaign that this caller may change: with a number's key those of its own number, and drafts that no number
 * carries yet. Throws NOT_FOUND.
 */
export async function lockOwn(trx: Db, caller: Caller, id: string): Promise<CampaignRow> {
  const campaign = await lockCampaign(trx, caller.organizationId, id)
  if (!campaign) throw noSuchCampaign()
  if (caller.containerId !== null && !isOpenTo(caller.containerId, campaign)) throw noSuchCampaign()
  return campaign
}

function isOpenTo(containerId: string, campaign: CampaignRow): boolean {
  if (campaign.containerId === null) return campaign.status === 'draft'
  return campaign.containerId === containerId
}

/** The state that an action moves a campaign to. Throws CAMPAIGN_INVALID_STATE where its state does not take the action. */
export function requireMove(
  { status }: Pick<CampaignRow, 'status'>,
  action: Exclude<CampaignAction, 'delete'>,
): CampaignStatus {
  const ruling = transition(status, action)
  if (ruling.is === 'refused') throw refusal(status, action, ruling)
  if (ruling.is === 'gone') throw new Error('only a deletion ends a campaign')
  return ruling.to
}

/** Throws CAMPAIGN_INVALID_STATE for a campaign that may not be deleted now. */
export function requireDeletable({ status }: Pick<CampaignRow, 'status'>): void {
  const ruling = transition(status, 'delete')
  if (ruling.is === 'refused') throw refusal(status, 'delete', ruling)
}

function refusal(
  status: CampaignStatus,
  action: CampaignAction,
  { code, allowed }: { readonly code: 'CAMPAIGN_INVALID_STATE'; readonly allowed: readonly CampaignStatus[] },
) {
  return apiError(
    code,
    `The campaign is ${status}; ${verbs[action] ?? action} takes one that is ${allowed.join(' or ')}.`,
    {
      status,
    },
  )
}

/** How an action is called in the API where its name is ours. */
const verbs: Partial<Record<CampaignAction, string>> = { edit: 'update', schedule: 'update', unschedule: 'update' }
