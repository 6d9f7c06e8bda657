import { appendEvents } from '#events/append.ts'
import { type EventSubject, messageEvent } from '#events/message-event.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { noteSetAside, workOn } from '#platform/set-aside/work.ts'
import { sweepVotes } from '#sending/messages/receipts/poll-vote.ts'
import { hasWaitingVotes } from '#sending/messages/receipts/poll-vote-store.ts'
import { sweepEarlyReceipts } from '#sending/messages/receipts/receipt.ts'
import { hasPendingReceipts } from '#sending/messages/receipts/receipt-store.ts'
import type { Services } from '#services.ts'
import { maxLostClaims, unknownForMs } from './outcome.ts'
import {
  failStale,
  failUnknown,
  findInconsistentLanes,
  hasExpiredClaims,
  reclaimExpired,
  repairLanes,
} from './sweep-store.ts'

const batch = 500

type FailSome = (trx: Services['db'], limit: number) => Promise<EventSubject[]>

/** SQL condition: whether {@link reapMessages} has something to do. */
export const hasReapable = `(${hasExpiredClaims} or ${hasPendingReceipts} or ${hasWaitingVotes})`

/** What the network says of messages: if it ends worker after worker, messages are still queued again. */
const waitingReceipts = { id: 'receipts.apply-waiting', organizationId: null }

/**
 * Queues messages of lost workers again, ends unknown outcomes, and applies receipts and votes that waited for an id. A
 * message that was lost with several workers in a row is set aside. Every worker may run it at the same time.
 */
export async function reapMessages(services: Services): Promise<void> {
  const reclaimed = await transaction(services.db, async (trx) => {
    const found = await reclaimExpired(trx, { maxLostClaims, unknownForMs, limit: 5000 })
    if (found.again > 0) crashPoint('reaper.before-commit')
    return found
  })
  for (const message of reclaimed.setAside) await noteSetAside(services, 'messages', message)
  if (reclaimed.again > 0) {
    crashPoint('reaper.committed')
    const messages = reclaimed.again
    services.log.info({ event: 'messages_reclaimed', messages }, 'queued messages of a lost worker again')
  }
  await failAll(services, failUnknown)
  await workOn(services, 'jobs', [waitingReceipts], {
    async run() {
      await sweepEarlyReceipts(services)
      await sweepVotes(services)
    },
  })
}

/** Fails messages that could not be sent for 24 hours, and repairs lanes. */
export async function sweepQueue(services: Services): Promise<void> {
  await failAll(services, failStale)
  const repaired = await repairInconsistent(services.db)
  if (repaired > 0) {
    services.log.warn({ event: 'lanes_repaired', lanes: repaired }, 'repaired lanes')
  }
}

async function repairInconsistent(db: Services['db']): Promise<number> {
  const inconsistent = await findInconsistentLanes(db)
  let repaired = 0
  for (let from = 0; from < inconsistent.length; from += batch) {
    repaired += await transaction(db, (trx) => repairLanes(trx, inconsistent.slice(from, from + batch)))
  }
  return repaired
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
    if (failed < batch) return
  }
}
