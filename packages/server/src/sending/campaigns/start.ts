import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { clearStopped } from '#numbers/guard/watch-store.ts'
import type { ChosenNumber } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
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
export async function send({ caller, params, body, idempotency }: Request<Campaigns['send']>, services: Services) {
  const { organizationId } = caller
  const result = await idempotency.transact(async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    const containerId = caller.containerId ?? body.containerId ?? campaign.containerId
    await requireKnownNumber(trx, organizationId, caller.containerId ?? body.containerId)
    const status = requireMove(campaign, 'send')
    const recipients = await listRecipients(trx, organizationId, campaign.id)
    const senders = await selectCampaignSenders(trx, caller, containerId, toPhones(recipients))
    await clearStopped(trx, organizationId, numbersOf(senders))
    await consumeTrialQuota(trx, services.clock, caller, recipients.length)
    await recordCampaign(trx, caller, 'sent', { id: campaign.id, recipients: recipients.length, containerId })
    await queueCampaign(trx, services.clock, campaign, { status, recipients, senders, containerId })
    crashPoint('campaign-start.before-commit')
    return {
      campaignId: campaign.id,
      status: 'sending' as const,
      totalRecipients: recipients.length,
      ...estimateDuration(recipients.length, numbersOf(senders).length),
    }
  })
  crashPoint('campaign-start.committed')
  announceQueued(services)
  return result
}

/**
 * Resumes a paused campaign with the recipients that have no message yet. Throws NOT_FOUND, CAMPAIGN_INVALID_STATE and
 * NO_SESSION_CONFIGURED.
 */
export async function resume({ caller, params, body, idempotency }: Request<Campaigns['resume']>, services: Services) {
  const { organizationId } = caller
  const result = await idempotency.transact(async (trx) => {
    const campaign = await lockOwn(trx, caller, params.id)
    const containerId = caller.containerId ?? body.containerId ?? campaign.containerId
    await requireKnownNumber(trx, organizationId, caller.containerId ?? body.containerId)
    const status = requireMove(campaign, 'resume')
    const recipients = await listRecipients(trx, organizationId, campaign.id, 'unwritten')
    const senders = await selectCampaignSenders(trx, caller, containerId, toPhones(recipients))
    await clearStopped(trx, organizationId, numbersOf(senders))
    await releaseWaiting(trx, organizationId, campaign.id)
    await recordCampaign(trx, caller, 'resumed', { id: campaign.id, recipients: recipients.length, containerId })
    const load = { status, recipients, senders, containerId }
    const jobsRequeued = await queueCampaign(trx, services.clock, campaign, load)
    crashPoint('campaign-resume.before-commit')
    return { status: 'sending' as const, jobsRequeued }
  })
  crashPoint('campaign-resume.committed')
  announceQueued(services)
  return result
}

/** Wakes the loops for queued messages and for the events of those that failed at once. */
export function announceQueued({ wake }: Pick<Services, 'wake'>): void {
  for (const channel of ['lanes', 'events', 'deliveries'] as const) wake.signal(channel)
}

function toPhones(recipients: readonly { readonly phone: string }[]): string[] {
  return recipients.map(({ phone }) => phone)
}

function numbersOf(senders: readonly ChosenNumber[]): string[] {
  return [...new Set(senders.map(({ containerId }) => containerId))]
}
