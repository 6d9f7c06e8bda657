import type { Contract } from '@msgctl/contract'
import { transaction } from '../db/db.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { demandState, lockOwn } from './access.ts'
import { removeUnsent } from './message-store.ts'
import { deleteCampaign, setStatus } from './store.ts'

type Campaigns = Contract['campaigns']

/**
 * Pauses a campaign: what was not begun to be sent leaves the queue in the transaction that changes the state. Throws
 * NOT_FOUND and CAMPAIGN_INVALID_STATE.
 */
export async function pause({ caller, params }: Request<Campaigns['pause']>, { db }: Services) {
  return transaction(db, async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    demandState(campaign, 'pause')
    await setStatus(trx, caller.organizationId, campaign.id, 'paused')
    return { status: 'paused' as const, jobsRemoved: await removeUnsent(trx, caller.organizationId, campaign.id) }
  })
}

/** Gives up a scheduled or paused campaign for good. Throws NOT_FOUND and CAMPAIGN_INVALID_STATE. */
export async function cancel({ caller, params }: Request<Campaigns['cancel']>, { db }: Services) {
  return transaction(db, async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    demandState(campaign, 'cancel')
    await setStatus(trx, caller.organizationId, campaign.id, 'cancelled')
    return { status: 'cancelled' as const, jobsRemoved: await removeUnsent(trx, caller.organizationId, campaign.id) }
  })
}

/** Deletes a campaign that is not sending, and its message history. Throws NOT_FOUND and CAMPAIGN_INVALID_STATE. */
export async function remove({ caller, params }: Request<Campaigns['delete']>, { db }: Services) {
  return transaction(db, async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    demandState(campaign, 'delete')
    await deleteCampaign(trx, caller.organizationId, campaign.id)
    return {}
  })
}
