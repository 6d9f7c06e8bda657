import type { ErrorCode } from '@msgctl/contract'
import { findEntitlement } from '#api/access/entitlement-store.ts'
import { appendEvents } from '#events/append.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import { workOn } from '#platform/set-aside/work.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { queueCampaign } from './queue.ts'
import { listRecipients } from './recipient-store.ts'
import { transition } from './rules.ts'
import { type DueCampaign, findDue, lockDue, noteFailedStart, putBack } from './scheduled-store.ts'
import { selectStartSenders } from './senders.ts'
import { lockCampaign } from './store.ts'

const startsPerRun = 50
/** A run ends before the next one begins, which finds what is still due. */
const maxRunMs = 40_000
/** How long a failing start is retried each minute, counted from the first attempt. */
const retryForMs = 3_600_000
const failedToStart = 'The service failed to start the campaign.'

/** Starts every campaign whose start time is reached. Workers may do this concurrently. */
export async function startDueCampaigns(services: Services): Promise<void> {
  const beganAt = services.clock.now()
  const until = performance.now() + maxRunMs
  for (;;) {
    const found = await findDue(services.db, beganAt, startsPerRun)
    let handled = 0
    for (const due of found) {
      if (performance.now() > until) return
      await workOn(services, 'campaign_starts', [due], {
        async run() {
          if (await handle(services, due)) handled += 1
        },
        setAside: (due) => giveUp(services, due),
      })
    }
    // Other workers hold the rest of a full page.
    if (found.length < startsPerRun || handled === 0) return
  }
}

/** Makes a draft of a campaign whose start ended several processes. */
async function giveUp(services: Services, due: DueCampaign): Promise<void> {
  const failure = { code: 'INTERNAL_ERROR', message: failedToStart } as const
  await failStart(services, due, failure, 0)
}

/** Starts one campaign, or records why it cannot start. Returns false when another worker holds it. */
async function handle(services: Services, due: DueCampaign): Promise<boolean> {
  try {
    const started = await start(services, due)
    if (started) crashPoint('campaign-due.committed')
    return started
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'INTERNAL_ERROR'
    const reason = error instanceof ApiError ? error.message : failedToStart
    const givenUp = await failStart(services, due, { code, message: reason })
    const fields = { campaignId: due.id, code, givenUp }
    if (code === 'INTERNAL_ERROR') {
      services.log.error({ event: 'campaign_start_error', ...fields, err: error }, 'failed to start a campaign')
    } else services.log.info({ event: 'campaign_start_refused', ...fields }, 'a scheduled campaign cannot start now')
    return true
  }
}

async function start({ db, clock }: Services, due: DueCampaign): Promise<boolean> {
  const { organizationId } = due
  return transaction(db, async (trx) => {
    if (!(await lockDue(trx, due))) return false
    const campaign = await lockCampaign(trx, organizationId, due.id)
    if (!campaign) return false
    const ruling = transition(campaign.status, 'start_time')
    if (ruling.is !== 'state') return false
    const entitlement = await findEntitlement(trx, organizationId)
    if (!entitlement.allowed) throw apiError('PRODUCT_REQUIRED', 'Campaigns need Notify, which is not active.')
    const recipients = await listRecipients(trx, organizationId, due.id)
    const phones = recipients.map(({ phone }) => phone)
    const senders = await selectStartSenders(trx, campaign, phones)
    await consumeTrialQuota(trx, clock, { organizationId, trial: entitlement.trial }, recipients.length)
    const { containerId } = campaign
    await queueCampaign(trx, clock, campaign, { status: ruling.to, recipients, senders, containerId })
    crashPoint('campaign-due.before-commit')
    return true
  })
}

/**
 * Records a failed start. After `forMs` of failures (default: an hour) the campaign becomes a draft with the reason,
 * and an event reports it.
 */
async function failStart(
  { db, clock }: Services,
  due: DueCampaign,
  { code, message }: { readonly code: ErrorCode; readonly message: string },
  forMs = retryForMs,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    if (!(await lockDue(trx, due))) return false
    const ruling = transition('scheduled', 'give_up')
    if ((await noteFailedStart(trx, due)) < forMs || ruling.is !== 'state') return false
    const { name, scheduledAt } = await putBack(trx, due, { status: ruling.to, startError: code })
    const at = clock.now().toISOString()
    const data = {
      campaignId: due.id,
      name,
      status: 'draft' as const,
      error: message,
      errorCode: code,
      scheduledAt: scheduledAt.toISOString(),
      timestamp: at,
    }
    await appendEvents(trx, [{ organizationId: due.organizationId, event: 'campaign.failed', data }])
    return true
  })
}
