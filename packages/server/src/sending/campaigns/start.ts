import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { clearStopped } from '#numbers/guard/watch-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import { releaseWaiting } from '#sending/messages/queue/campaign-store.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { lockOwn, requireMove } from './access.ts'
import { recordCampaign } from './activity.ts'
import { estimateDuration } from './duration.ts'
import { queueCampaign } from './queue.ts'
import { listRecipients } from './recipient-store.ts'
import { requireKnownNumber, selectCampaignSenders } from './senders.ts'

type Campaigns = Contract['campaigns']

/**
 * Starts a draft or scheduled campaign (specification, "Campaigns"). Its messages are queued and all its recipients
 * count against a trial, in one transaction. Throws NOT_FOUND, CAMPAIGN_INVALID_STATE, NO_SESSION_CONFIGURED and
 * TRIAL_LIMIT_REACHED.
 */
export async function send(request: Request<Campaigns['send']>, services: Services) {
  const { caller, idempotency } = request
  const result = await idempotency.transact(async (trx) => {
    const { campaign, recipients, numbers } = await launch(trx, services, request, 'send', (count) =>
      consumeTrialQuota(trx, services.clock, caller, count),
    )
    crashPoint('campaign-start.before-commit')
    return {
      campaignId: campaign.id,
      status: 'sending' as const,
      totalRecipients: recipients,
      ...estimateDuration(recipients, numbers),
    }
  })
  crashPoint('campaign-start.committed')
  return result
}

/**
 * Resumes a paused campaign with the recipients that have no message yet. Throws NOT_FOUND, CAMPAIGN_INVALID_STATE and
 * NO_SESSION_CONFIGURED.
 */
export async function resume(request: Request<Campaigns['resume']>, services: Services) {
  const { caller, params, idempotency } = request
  const result = await idempotency.transact(async (trx) => {
    const { queued } = await launch(trx, services, request, 'resume', () =>
      releaseWaiting(trx, caller.organizationId, params.id),
    )
    crashPoint('campaign-resume.before-commit')
    return { status: 'sending' as const, jobsRequeued: queued }
  })
  crashPoint('campaign-resume.committed')
  return result
}

const moves = {
  send: { recipients: 'all', activity: 'sent' },
  resume: { recipients: 'unwritten', activity: 'resumed' },
} as const

/**
 * Queues the messages of a campaign through the numbers that are selected now, and records who did it. `prepare` is
 * called with the count of recipients before that.
 */
async function launch(
  trx: Db,
  { clock }: Services,
  { caller, params, body }: Pick<Request<Campaigns['send']>, 'caller' | 'params' | 'body'>,
  move: keyof typeof moves,
  prepare: (recipients: number) => Promise<void>,
) {
  const { organizationId } = caller
  const campaign = await lockOwn(trx, caller, params.id)
  const containerId = caller.containerId ?? body.containerId ?? campaign.containerId
  await requireKnownNumber(trx, organizationId, caller.containerId ?? body.containerId)
  const status = requireMove(campaign, move)
  const recipients = await listRecipients(trx, organizationId, campaign.id, moves[move].recipients)
  const phones = recipients.map(({ phone }) => phone)
  const senders = await selectCampaignSenders(trx, caller, containerId, phones)
  const numbers = [...new Set(senders.map((sender) => sender.containerId))]
  await clearStopped(trx, organizationId, numbers)
  await prepare(recipients.length)
  await recordCampaign(trx, caller, moves[move].activity, {
    id: campaign.id,
    recipients: recipients.length,
    containerId,
  })
  const queued = await queueCampaign(trx, clock, campaign, { status, recipients, senders, containerId })
  return { campaign, recipients: recipients.length, numbers: numbers.length, queued }
}
