import type { CampaignStatus } from '@msgctl/contract'
import type { Caller } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { type CampaignAction, transition } from './rules.ts'
import { type CampaignRow, lockCampaign } from './store.ts'

/** Returns the error for a campaign that is unknown, of another organization, or of another number than the key's. */
export function noSuchCampaign() {
  return apiError('NOT_FOUND', 'There is no such campaign.')
}

/**
 * Locks a campaign that this caller may change. A number's key may change campaigns of its own number and drafts that
 * are bound to no number. Throws NOT_FOUND.
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

/**
 * Returns the state that an action moves a campaign to. Throws CAMPAIGN_INVALID_STATE when its state does not allow it.
 */
export function requireMove(
  { status }: Pick<CampaignRow, 'status'>,
  action: Exclude<CampaignAction, 'delete'>,
): CampaignStatus {
  const ruling = transition(status, action)
  if (ruling.is === 'refused') throw refusal(status, action, ruling)
  if (ruling.is === 'gone') throw new Error('only a deletion ends a campaign')
  return ruling.to
}

/** Throws CAMPAIGN_INVALID_STATE when the campaign cannot be deleted now. */
export function requireDeletable({ status }: Pick<CampaignRow, 'status'>): void {
  const ruling = transition(status, 'delete')
  if (ruling.is === 'refused') throw refusal(status, 'delete', ruling)
}

function refusal(
  status: CampaignStatus,
  action: CampaignAction,
  { code, allowed }: { readonly code: 'CAMPAIGN_INVALID_STATE'; readonly allowed: readonly CampaignStatus[] },
) {
  return apiError(code, `Cannot ${verbs[action] ?? action} a ${status} campaign: it must be ${allowed.join(' or ')}.`, {
    status,
  })
}

/** The names in the API of actions that have another name here. */
const verbs: Partial<Record<CampaignAction, string>> = { edit: 'update', schedule: 'update', unschedule: 'update' }
