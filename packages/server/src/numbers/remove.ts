import type { Contract } from '@msgctl/contract'
import { actorOf, recordActivity } from '../activity/log.ts'
import { type Db, transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { appendEvents } from '../events/append.ts'
import { messageEvent } from '../events/message-event.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { noSuchNumber } from './choose.ts'
import { moveWaiting } from './failover.ts'
import { lockLanes } from './failover-store.ts'
import { failQueuedOf } from './queued-store.ts'
import { findGroup } from './send-group-store.ts'
import { deleteLane, deleteNumber, lockNumber, lockNumbersOf } from './store.ts'

/** Why messages of a removed number fail. */
export const removed = { code: 'NUMBER_REMOVED', error: 'the number was removed before the message was sent' } as const

/**
 * Removes a number for good: what is queued on it moves to another number, or fails with NUMBER_REMOVED where it may not
 * or there is none; its keys stop working, and the oldest other number becomes the default when it was the default.
 * Throws NOT_FOUND, and IN_USE while the send group holds it.
 */
export async function removeNumber(request: Request<Contract['numbers']['delete']>, services: Services) {
  const { caller, params } = request
  const { organizationId } = caller
  const { containerId } = params
  await transaction(services.db, async (trx) => {
    await lockNumbersOf(trx, organizationId)
    const number = await lockNumber(trx, organizationId, containerId)
    if (!number) throw noSuchNumber()
    await demandOutOfGroup(trx, organizationId, containerId)
    // Whoever was queueing meanwhile has committed once the lanes are locked, and without its lane nobody can.
    await lockLanes(trx, organizationId)
    await deleteLane(trx, organizationId, containerId)
    const moved = await moveAway(trx, organizationId, containerId)
    const failed = await failQueuedOf(trx, organizationId, containerId, removed)
    await deleteNumber(trx, organizationId, containerId)
    await recordActivity(trx, {
      organizationId,
      actor: actorOf(caller),
      action: 'number.removed',
      subject: containerId,
      details: {
        label: number.label,
        phoneNumber: number.phoneNumber,
        movedMessages: moved,
        failedMessages: failed.length,
      },
    })
    const at = services.clock.now()
    await appendEvents(
      trx,
      failed.map((message) => messageEvent('message.failed', message, at)),
    )
  })
  for (const channel of ['lanes', 'shut', 'events', 'deliveries'] as const) services.wake.signal(channel)
  try {
    await services.gateway.remove({ containerId, organizationId })
  } catch (error) {
    // Nothing refers to it any more; a session left at the network can send nothing for us.
    services.log.warn({ err: error, containerId }, 'the network did not forget a removed number')
  }
  return {}
}

async function demandOutOfGroup(trx: Db, organizationId: string, containerId: string): Promise<void> {
  const { containerIds } = await findGroup(trx, organizationId)
  if (!containerIds.includes(containerId)) return
  const message = 'The send group holds this number. Take it out of the group first: PUT /session/send-group.'
  throw apiError('IN_USE', message, { usedBy: 'send_group' })
}

/** Moves all that may move, in one transaction: afterwards the number is gone. Answers how many messages moved. */
async function moveAway(trx: Db, organizationId: string, containerId: string): Promise<number> {
  for (let messages = 0; ; ) {
    const moved = await moveWaiting(trx, organizationId, containerId)
    messages += moved.messages
    if (!moved.more) return messages
  }
}
