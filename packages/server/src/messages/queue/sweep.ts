import { crashPoint } from '../../crash-points.ts'
import { transaction } from '../../db/db.ts'
import { appendEvents } from '../../events/append.ts'
import { type EventSubject, messageEvent } from '../../events/message-event.ts'
import type { Services } from '../../services.ts'
import { sweepVotes } from '../receipts/poll-vote.ts'
import { sweepEarlyReceipts } from '../receipts/receipt.ts'
import { maxLostClaims, unknownForMs } from './outcome.ts'
import { failStale, failUnknown, findInconsistentLanes, reclaimExpired, repairLanes } from './sweep-store.ts'

const batch = 500

type FailSome = (trx: Services['db'], limit: number) => Promise<EventSubject[]>

/**
 * The reaper: claims whose worker is gone go back into the queue, unknown outcomes come to their end, and receipts and
 * votes that waited for an id are applied. Every worker may run it at the same time.
 */
export async function reapMessages(services: Services): Promise<void> {
  const chosenIds = services.gateway.caps.has('clientMessageId')
  const reclaimed = await transaction(services.db, async (trx) => {
    const count = await reclaimExpired(trx, { chosenIds, maxLostClaims, unknownForMs, limit: 5000 })
    if (count > 0) crashPoint('reaper.before-commit')
    return count
  })
  if (reclaimed > 0) {
    crashPoint('reaper.committed')
    services.log.info({ messages: reclaimed }, 'messages of a lost worker are queued again')
    services.wake.signal('lanes')
  }
  await failAll(services, failUnknown)
  await sweepEarlyReceipts(services)
  await sweepVotes(services)
}

/** The slower sweep: gives up what could not be sent for 24 hours, and mends lanes. */
export async function sweepQueue(services: Services): Promise<void> {
  await failAll(services, failStale)
  const mended = await repairInconsistent(services.db)
  if (mended > 0) {
    services.log.warn({ lanes: mended }, 'lanes were mended')
    services.wake.signal('lanes')
  }
}

async function repairInconsistent(db: Services['db']): Promise<number> {
  const astray = await findInconsistentLanes(db)
  let mended = 0
  for (let from = 0; from < astray.length; from += batch) {
    mended += await transaction(db, (trx) => repairLanes(trx, astray.slice(from, from + batch)))
  }
  return mended
}

async function failAll(services: Services, failSome: FailSome): Promise<void> {
  for (;;) {
    const failed = await transaction(services.db, async (trx) => {
      const subjects = await failSome(trx, batch)
      const at = services.clock.now()
      await appendEvents(
        trx,
        subjects.map((subject) => messageEvent('message.failed', subject, at)),
      )
      return subjects.length
    })
    if (failed > 0) {
      services.wake.signal('events')
      services.wake.signal('deliveries')
    }
    if (failed < batch) return
  }
}
