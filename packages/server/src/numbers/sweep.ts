import { type Db, transaction } from '../db/db.ts'
import { appendEvents } from '../events/append.ts'
import { type EventSubject, messageEvent } from '../events/message-event.ts'
import { withGatewayTimeout } from '../gateway/timeout.ts'
import { failOrphans, failQueued } from '../messages/lanes/queued-store.ts'
import type { Services } from '../services.ts'
import { applyState } from './connection/state.ts'
import { writeDesiredState } from './connection/state-store.ts'
import { finishRemovals } from './remove.ts'
import { sweepWaiting } from './send-group/failover.ts'
import { findLeftQueues, findUnentitled, isWithoutProduct, type UnentitledNumber } from './sweep-store.ts'

const batch = 500
/** Messages that one sweep fails at most because the product is gone; the next one, a minute later, goes on. */
const mostFailed = 20_000
const stopTimeoutMs = 10_000

/**
 * Ends what nobody may use any more: numbers of organizations whose trial is over, whose products are paused or who are
 * shut out stop, and what can never be sent fails. Nothing is deleted; the numbers can be started again. What waits on
 * a number that is down moves to one that can send, should its own transaction have missed it. `most` bounds how many
 * messages fail for want of a product.
 */
export async function sweepNumbers(services: Services, most = mostFailed): Promise<void> {
  for (const number of await findUnentitled(services.db, batch)) {
    try {
      await stopUnentitled(services, number)
    } catch (error) {
      const { containerId } = number
      services.log.warn(
        { err: error, containerId },
        'a number that may not run could not be stopped; tried again later',
      )
    }
  }
  await failLeftQueues(services, most)
  await sweepWaiting(services)
  await finishRemovals(services)
  for (;;) if ((await fail(services, (trx) => failOrphans(trx, batch))) < batch) return
}

async function stopUnentitled(services: Services, number: UnentitledNumber): Promise<void> {
  const { organizationId, containerId, deactivatedOnly } = number
  const session = { organizationId, containerId }
  // Otherwise the network's word of the stop would be taken for a connection that was lost.
  await writeDesiredState(services.db, organizationId, containerId, 'stopped')
  const { sequence } = await withGatewayTimeout(stopTimeoutMs, services.gateway.stop(session))
  const reason = deactivatedOnly ? 'deactivated' : 'no_product'
  const state = { status: 'STOPPED', me: null, reason, sequence } as const
  await applyState(services, { ...session, state, source: 'supervisor' })
}

/**
 * Fails what is queued on stopped numbers whose organization has no product any more, whoever stopped them and when: also
 * what an earlier sweep that died left there, or a worker gave back since. An organization that is only shut out may come
 * back, and then finds its queue as it was.
 */
async function failLeftQueues(services: Services, most: number): Promise<void> {
  let left = most
  for (const number of await findLeftQueues(services.db, batch)) {
    if (left <= 0) return
    try {
      left -= await failLeftQueue(services, number, left)
    } catch (error) {
      const { containerId } = number
      services.log.warn({ err: error, containerId }, 'a queue without a product could not be failed; tried again later')
    }
  }
}

/** Fails one such queue, `most` messages and the rest of a batch; answers how many. */
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

/** Fails messages with their events; answers how many there were. */
async function fail(services: Services, some: (trx: Db) => Promise<EventSubject[]>): Promise<number> {
  const failed = await transaction(services.db, async (trx) => {
    const subjects = await some(trx)
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
  return failed
}
