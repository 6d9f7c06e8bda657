import { appendEvents } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import { transaction } from '#platform/db/db.ts'
import { failUnknownOutcomes } from '#sending/messages/queue/campaign-store.ts'
import type { Services } from '#services.ts'
import { completeFinished } from './message-store.ts'
import { startDueCampaigns } from './scheduled-start.ts'

const batch = 500

/**
 * Starts due campaigns (specification, "Campaign statuses") and completes what a crash interrupted. A job runs it every
 * minute, concurrently in several workers. All its state is in the database, so an outage only delays it.
 */
export async function maintainCampaigns(services: Services): Promise<void> {
  await startDueCampaigns(services)
  await completeFinished(services.db, null)
  await failRemaining(services)
}

/** Fails the queued messages of cancelled campaigns whose outcome is unknown. */
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
    if (failed < batch) return
  }
}
