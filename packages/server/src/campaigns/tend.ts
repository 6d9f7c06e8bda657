import { transaction } from '../db/db.ts'
import { ApiError, apiError } from '../errors.ts'
import { appendEvents } from '../events/append.ts'
import { messageEvent } from '../events/message-event.ts'
import { spendTrial } from '../messages/trial.ts'
import { findStanding } from '../organizations/standing-store.ts'
import type { Services } from '../services.ts'
import { chooseForStart } from './carriers.ts'
import { completeFinished, failDoubtful } from './message-store.ts'
import { queueCampaign } from './queue.ts'
import { listRecipients } from './recipient-store.ts'
import { type DueCampaign, findDue, giveUpStart, lockDue } from './scheduled-store.ts'
import { announceQueued } from './start.ts'
import { lockCampaign } from './store.ts'

const startsPerRun = 200
/** How long a start that cannot happen is tried again, each minute. */
const triedForMs = 3_600_000
const batch = 500

/**
 * The job of every minute: starts what is due (specification, "Campaign statuses"), and settles what a crash left behind.
 * Any number of workers may do it at once; everything is found in the data, so an outage delays and loses nothing.
 */
export async function tendCampaigns(services: Services): Promise<void> {
  for (const due of await findDue(services.db, startsPerRun)) {
    try {
      await startDue(services, due)
    } catch (error) {
      services.log.error({ err: error, campaignId: due.id }, 'a campaign could not be started; it is tried again')
    }
  }
  await completeFinished(services.db, null)
  await failLeftOver(services)
}

async function startDue(services: Services, due: DueCampaign): Promise<void> {
  try {
    await start(services, due)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code } = error
    const givenUp = await giveUpStart(services.db, due, { code, forMs: triedForMs })
    services.log.info({ campaignId: due.id, code, givenUp }, 'a scheduled campaign could not start')
    return
  }
  announceQueued(services)
}

async function start({ db, clock }: Services, due: DueCampaign): Promise<void> {
  const { organizationId } = due
  await transaction(db, async (trx) => {
    if (!(await lockDue(trx, due))) return
    const campaign = await lockCampaign(trx, organizationId, due.id)
    if (!campaign) return
    const standing = await findStanding(trx, organizationId)
    if (!standing.allowed) throw apiError('PRODUCT_REQUIRED', 'Campaigns need Notify, which is not active.')
    const recipients = await listRecipients(trx, organizationId, due.id)
    const phones = recipients.map(({ phone }) => phone)
    const carriers = await chooseForStart(trx, campaign, phones)
    await spendTrial(trx, clock, { organizationId, trial: standing.trial }, recipients.length)
    await queueCampaign(trx, clock, campaign, { recipients, carriers, containerId: campaign.containerId })
  })
}

/** Fails what cancelled campaigns left in the queue, since nobody knows whether the network took it. */
async function failLeftOver(services: Services): Promise<void> {
  for (;;) {
    const failed = await transaction(services.db, async (trx) => {
      const subjects = await failDoubtful(trx, batch)
      const at = services.clock.now()
      await appendEvents(
        trx,
        subjects.map((subject) => messageEvent('message.failed', subject, at)),
      )
      return subjects.length
    })
    if (failed > 0) announceQueued(services)
    if (failed < batch) return
  }
}
