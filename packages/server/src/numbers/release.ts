import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { appendEvents } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import type { Services } from '#services.ts'
import { openQueue } from './hold.ts'
import { countQueued, failQueued } from './lanes/queued-store.ts'
import { lockNumber } from './records/store.ts'
import { lockGroupLanes, moveAllWaiting } from './send-group/failover.ts'
import { numberNotFound } from './send-group/select-number.ts'

/**
 * Decides about the held queue of a number that was linked to another phone. `send` opens the queue; `discard` fails
 * with DISCARDED what was queued before the phone was linked. Responds with the number of messages that may leave now,
 * or failed: 0 for a number that holds nothing. Throws NOT_FOUND, also for a number other than that of a number's key.
 */
export async function releaseHeld(request: Request<Contract['numbers']['release']>, services: Services) {
  const { caller, params, body, idempotency } = request
  const { organizationId } = caller
  const { containerId } = params
  let more = false
  const response = await idempotency.transact(async (trx) => {
    const isOwn = caller.containerId === null || caller.containerId === containerId
    const number = isOwn ? await lockNumber(trx, organizationId, containerId) : undefined
    if (!number) throw numberNotFound()
    if (number.queueHeldAt === null) return { messages: 0 }
    const areAllLocked = await lockGroupLanes(trx, organizationId)
    const queued = await countQueued(trx, organizationId, containerId)
    const discards = body.action === 'discard'
    const discarded = discards
      ? await failQueued(trx, organizationId, containerId, 'DISCARDED', { createdUntil: number.queueHeldAt })
      : []
    more = (await openQueue(trx, organizationId, containerId, areAllLocked)).more
    const messages = discards ? discarded.length : queued
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'number.released',
      subject: containerId,
      details: { action: body.action, messages },
    })
    const at = services.clock.now()
    await appendEvents(
      trx,
      discarded.map((message) => messageEvent('message.failed', message, at)),
    )
    return { messages }
  })
  // One transaction moves only a part of a long queue.
  if (more) await moveAllWaiting(services, organizationId)
  return response
}
