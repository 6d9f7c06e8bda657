import type { ErrorCode } from '@msgctl/contract'
import { crashPoint } from '../crash-points.ts'
import { transaction } from '../db/db.ts'
import { ApiError, apiError } from '../errors.ts'
import { consumeTrialQuota } from '../messages/trial.ts'
import { findEntitlement } from '../organizations/entitlement-store.ts'
import type { Services } from '../services.ts'
import { queueCampaign } from './queue.ts'
import { listRecipients } from './recipient-store.ts'
import { transition } from './rules.ts'
import { type DueCampaign, findDue, lockDue, noteFailedStart, putBack } from './scheduled-store.ts'
import { selectStartSenders } from './senders.ts'
import { announceQueued } from './start.ts'
import { lockCampaign } from './store.ts'

const startsPerRun = 50
/** A run ends in time for the next one; what is left over is still due then. */
const maxRunMs = 40_000
/** How long a start that cannot happen is tried again, each minute, counted from the first try. */
const retryForMs = 3_600_000

/** Starts every campaign whose time is reached. Any number of workers may do it at once. */
export async function startDueCampaigns(services: Services): Promise<void> {
  const beganAt = services.clock.now()
  const until = performance.now() + maxRunMs
  for (;;) {
    const found = await findDue(services.db, beganAt, startsPerRun)
    let handled = 0
    for (const due of found) {
      if (performance.now() > until) return
      if (await handle(services, due)) handled += 1
    }
    // What is left of a full look is in the hands of other workers.
    if (found.length < startsPerRun || handled === 0) return
  }
}

/** Starts one campaign, or notes why it could not start; answers false when somebody else has it in hand. */
async function handle(services: Services, due: DueCampaign): Promise<boolean> {
  try {
    const started = await start(services, due)
    if (started) {
      crashPoint('campaign-due.committed')
      announceQueued(services)
    }
    return started
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'INTERNAL_ERROR'
    const givenUp = await failStart(services, due, code)
    const seen = { campaignId: due.id, code, givenUp }
    if (code === 'INTERNAL_ERROR') services.log.error({ ...seen, err: error }, 'a campaign could not be started')
    else services.log.info(seen, 'a scheduled campaign could not start')
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
    const standing = await findEntitlement(trx, organizationId)
    if (!standing.allowed) throw apiError('PRODUCT_REQUIRED', 'Campaigns need Notify, which is not active.')
    const recipients = await listRecipients(trx, organizationId, due.id)
    const phones = recipients.map(({ phone }) => phone)
    const senders = await selectStartSenders(trx, campaign, phones)
    await consumeTrialQuota(trx, clock, { organizationId, trial: standing.trial }, recipients.length)
    const { containerId } = campaign
    await queueCampaign(trx, clock, campaign, { status: ruling.to, recipients, senders, containerId })
    crashPoint('campaign-due.before-commit')
    return true
  })
}

/** Notes a start that could not happen; after an hour of them the campaign is a draft again, and says why. */
async function failStart({ db }: Services, due: DueCampaign, startError: ErrorCode): Promise<boolean> {
  return transaction(db, async (trx) => {
    if (!(await lockDue(trx, due))) return false
    const ruling = transition('scheduled', 'give_up')
    if ((await noteFailedStart(trx, due)) < retryForMs || ruling.is !== 'state') return false
    await putBack(trx, due, { status: ruling.to, startError })
    return true
  })
}
