import { appendEvents } from '#events/append.ts'
import { type EventSubject, messageEvent } from '#events/message-event.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { applyState } from './connection/state.ts'
import { writeDesiredState } from './connection/state-store.ts'
import { endEmptyHolds } from './hold.ts'
import { failOrphans, failQueued } from './lanes/queued-store.ts'
import { finishRemovals } from './remove.ts'
import { sweepWaiting } from './send-group/failover.ts'
import { startEntitledAgain } from './start-again.ts'
import {
  findLeftQueues,
  findUnentitled,
  isWithoutProduct,
  stoppedWithoutProduct,
  type UnentitledNumber,
} from './sweep-store.ts'

const batch = 500
/** The most messages that one sweep fails because the product is gone; the next sweep, a minute later, continues. */
const mostFailed = 20_000
const stopTimeoutMs = 10_000

/**
 * Stops numbers of organizations without an active product or that are deactivated, and fails messages that can never
 * be sent. Nothing is deleted; the numbers start again with the next product. Ends holds without messages. Messages on
 * a number that is down move to one that can send if the transaction of its state change missed them. `most` limits how
 * many messages fail because of the product.
 */
export async function sweepNumbers(services: Services, most = mostFailed): Promise<void> {
  for (const number of await findUnentitled(services.db, batch)) {
    try {
      await stopUnentitled(services, number)
    } catch (error) {
      const { containerId } = number
      services.log.warn(
        { event: 'number_stop_failed', err: error, containerId },
        'failed to stop a number without a product',
      )
    }
  }
  await startEntitledAgain(services)
  await failLeftQueues(services, most)
  await endEmptyHolds(services)
  await sweepWaiting(services)
  await finishRemovals(services)
  for (;;) if ((await fail(services, (trx) => failOrphans(trx, batch))) < batch) return
}

async function stopUnentitled(services: Services, number: UnentitledNumber): Promise<void> {
  const { organizationId, containerId, deactivatedOnly } = number
  const session = { organizationId, containerId }
  // Otherwise the network's report of the stop would count as a lost connection.
  await writeDesiredState(services.db, organizationId, containerId, 'stopped')
  const { sequence } = await withGatewayTimeout(stopTimeoutMs, services.gateway.stop(session))
  const reason = deactivatedOnly ? 'deactivated' : stoppedWithoutProduct
  const state = { status: 'STOPPED', me: null, reason, sequence } as const
  await applyState(services, { ...session, state, source: 'supervisor' })
}

/**
 * Fails what is queued on stopped numbers whose organization has no product, including the rest of an interrupted sweep
 * and messages that a worker returned since. A deactivated organization that still has a product keeps its queue.
 */
async function failLeftQueues(services: Services, most: number): Promise<void> {
  let left = most
  for (const number of await findLeftQueues(services.db, batch)) {
    if (left <= 0) return
    try {
      left -= await failLeftQueue(services, number, left)
    } catch (error) {
      const { containerId } = number
      services.log.warn(
        { event: 'queue_fail_failed', err: error, containerId },
        'failed to fail a queue without a product',
      )
    }
  }
}

/** Fails one such queue, up to `most` messages and the rest of a batch. Returns how many. */
async function failLeftQueue(
  services: Services,
  { organizationId, containerId }: { readonly organizationId: string; readonly containerId: string },
  most: number,
): Promise<number> {
  // Products may be granted while a long queue fails.
  const failSome = async (trx: Db) =>
    (await isWithoutProduct(trx, organizationId))
      ? failQueued(trx, organizationId, containerId, 'PRODUCT_REQUIRED', { limit: batch })
      : []
  for (let failed = 0; ; ) {
    const some = await fail(services, failSome)
    failed += some
    if (some < batch || failed >= most) return failed
  }
}

/** Fails messages with their events. Returns how many. */
async function fail(services: Services, some: (trx: Db) => Promise<EventSubject[]>): Promise<number> {
  return transaction(services.db, async (trx) => {
    const subjects = await some(trx)
    const at = services.clock.now()
    await appendEvents(
      trx,
      subjects.map((subject) => messageEvent('message.failed', subject, at)),
    )
    return subjects.length
  })
}
