import { transaction } from '../db/db.ts'
import { appendEvents } from '../events/append.ts'
import { messageEvent } from '../events/message-event.ts'
import { failUnknownOutcomes } from '../messages/queue/campaign-store.ts'
import type { Services } from '../services.ts'
import { completeFinished } from './message-store.ts'
import { startDueCampaigns } from './scheduled-start.ts'
import { announceQueued } from './start.ts'

const batch = 500

/**
 * The job of every minute: starts what is due (specification, "Campaign statuses"), and settles what a crash left behind.
 * Any number of workers may do it at once; everything is found in the data, so an outage delays and loses nothing.
 */
export async function maintainCampaigns(services: Services): Promise<void> {
  await startDueCampaigns(services)
  await completeFinished(services.db, null)
  await failRemaining(services)
}

/** Fails what cancelled campaigns left in the queue, since nobody knows whether the network took it. */
async function failRemaining(services: Services): Promise<void> {
  for (;;) {
    const failed = await transaction(services.db, async (trx) => {
      const subjects = await failUnknownOutcomes(trx, batch)
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
