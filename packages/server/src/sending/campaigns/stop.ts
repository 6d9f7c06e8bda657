import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transactionWithQuota } from '#platform/db/pool-quota.ts'
import { removeUnsent } from '#sending/messages/queue/campaign-store.ts'
import type { Services } from '#services.ts'
import { lockOwn, requireDeletable, requireMove } from './access.ts'
import { recordCampaign } from './activity.ts'
import { deleteCampaign, setStatus } from './store.ts'

type Campaigns = Contract['campaigns']
type Stop = Request<Campaigns['pause']> | Request<Campaigns['cancel']>

/**
 * Pauses a campaign and removes its unsent messages from the queue in the same transaction. Throws NOT_FOUND and
 * CAMPAIGN_INVALID_STATE.
 */
export async function pause(request: Request<Campaigns['pause']>, services: Services) {
  return { status: 'paused' as const, jobsRemoved: await stop(request, services, 'pause') }
}

/** Cancels a scheduled or paused campaign. Throws NOT_FOUND and CAMPAIGN_INVALID_STATE. */
export async function cancel(request: Request<Campaigns['cancel']>, services: Services) {
  return { status: 'cancelled' as const, jobsRemoved: await stop(request, services, 'cancel') }
}

async function stop({ caller, params }: Stop, { db }: Services, action: 'pause' | 'cancel'): Promise<number> {
  const { organizationId } = caller
  const removed = await transactionWithQuota(db, organizationId, async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    await setStatus(trx, organizationId, campaign.id, requireMove(campaign, action))
    const jobsRemoved = await removeUnsent(trx, organizationId, campaign.id)
    await recordCampaign(trx, caller, action === 'pause' ? 'paused' : 'cancelled', { id: campaign.id, jobsRemoved })
    crashPoint('campaign-pause.before-commit')
    return jobsRemoved
  })
  crashPoint('campaign-pause.committed')
  return removed
}

/** Deletes a campaign that is not sending, and its message history. Throws NOT_FOUND and CAMPAIGN_INVALID_STATE. */
export async function remove({ caller, params }: Request<Campaigns['delete']>, { db }: Services) {
  return transactionWithQuota(db, caller.organizationId, async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    requireDeletable(campaign)
    await deleteCampaign(trx, caller.organizationId, campaign.id)
    const { id, name, status, total } = campaign
    await recordCampaign(trx, caller, 'deleted', { id, name, status, recipients: total })
    return {}
  })
}
