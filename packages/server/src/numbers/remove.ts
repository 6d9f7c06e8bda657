import type { Contract } from '@msgctl/contract'
import { actorOf, recordActivity } from '../activity/log.ts'
import { transaction } from '../db/db.ts'
import { appendEvents } from '../events/append.ts'
import { messageEvent } from '../events/message-event.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { noSuchNumber } from './choose.ts'
import { failQueuedOf } from './queued-store.ts'
import { deleteLane, deleteNumber, lockNumber, lockNumbersOf } from './store.ts'

/** Why messages of a removed number fail. */
export const removed = { code: 'NUMBER_REMOVED', error: 'the number was removed before the message was sent' } as const

/**
 * Removes a number for good: what is queued on it fails with NUMBER_REMOVED, its keys stop working, and the oldest
 * other number becomes the default when it was the default. Throws NOT_FOUND.
 */
export async function removeNumber(request: Request<Contract['numbers']['delete']>, services: Services) {
  const { caller, params } = request
  const { organizationId } = caller
  const { containerId } = params
  await transaction(services.db, async (trx) => {
    await lockNumbersOf(trx, organizationId)
    const number = await lockNumber(trx, organizationId, containerId)
    if (!number) throw noSuchNumber()
    const failed = await failQueuedOf(trx, organizationId, containerId, removed)
    await deleteLane(trx, organizationId, containerId)
    // Whoever was queueing meanwhile has committed by now, and from here on nobody can.
    failed.push(...(await failQueuedOf(trx, organizationId, containerId, removed)))
    await deleteNumber(trx, organizationId, containerId)
    await recordActivity(trx, {
      organizationId,
      actor: actorOf(caller),
      action: 'number.removed',
      subject: containerId,
      details: { label: number.label, phoneNumber: number.phoneNumber, failedMessages: failed.length },
    })
    const at = services.clock.now()
    await appendEvents(
      trx,
      failed.map((message) => messageEvent('message.failed', message, at)),
    )
  })
  services.wake.signal('events')
  services.wake.signal('deliveries')
  try {
    await services.gateway.remove({ containerId, organizationId })
  } catch (error) {
    // Nothing refers to it any more; a session left at the network can send nothing for us.
    services.log.warn({ err: error, containerId }, 'the network did not forget a removed number')
  }
  return {}
}
