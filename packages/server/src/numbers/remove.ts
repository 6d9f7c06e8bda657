import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '../activity/log.ts'
import { type Db, transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { appendEvents } from '../events/append.ts'
import { messageEvent } from '../events/message-event.ts'
import { withGatewayTimeout } from '../gateway/timeout.ts'
import type { Caller, Request } from '../http/handler.ts'
import { deleteLane } from '../messages/lanes/lane-store.ts'
import { carriesCampaign, countQueued, failQueued } from '../messages/lanes/queued-store.ts'
import type { Services } from '../services.ts'
import { deleteNumber, lockNumber, lockNumbers } from './records/store.ts'
import { moveWaiting } from './send-group/failover.ts'
import { lockLanes } from './send-group/failover-store.ts'
import { numberNotFound } from './send-group/select-number.ts'
import { findGroup } from './send-group/send-group-store.ts'
import { findWithoutLane } from './sweep-store.ts'

const removeTimeoutMs = 10_000

/** Messages that one transaction of a removal fails at most, so that it holds nothing for long. */
const failBatch = 5000

interface OneNumber {
  readonly organizationId: string
  readonly containerId: string
}

/**
 * Removes a number for good: what is queued on it moves to another number, or fails with NUMBER_REMOVED where it may not
 * or there is none; its keys stop working, and the oldest other number becomes the default when it was the default.
 * Throws NOT_FOUND, and IN_USE while the send group holds it or a campaign sends through it.
 */
export async function removeNumber(request: Request<Contract['numbers']['delete']>, services: Services) {
  const { caller, params } = request
  const number = { organizationId: caller.organizationId, containerId: params.containerId }
  const gone = await transaction(services.db, async (trx) => {
    await begin(trx, caller, number)
    return empty(trx, services, number)
  })
  await finish(services, number, gone)
  return {}
}

/**
 * Ends removals that a crash broke off: a number without a lane is one that somebody began to remove. All tenants are
 * looked at.
 */
export async function finishRemovals(services: Services): Promise<void> {
  for (const number of await findWithoutLane(services.db)) await finish(services, number, false)
}

/** Takes the lane away: from then on nothing can be queued on the number, and it can only go on to be removed. */
async function begin(trx: Db, caller: Caller, { organizationId, containerId }: OneNumber): Promise<void> {
  await lockNumbers(trx, organizationId)
  const number = await lockNumber(trx, organizationId, containerId)
  if (!number) throw numberNotFound()
  await requireUnused(trx, organizationId, containerId)
  // Whoever was queueing meanwhile has committed once the lanes are locked, and without its lane nobody can.
  const lanes = await lockLanes(trx, organizationId)
  if (!lanes.some(({ id }) => id === containerId)) return
  await deleteLane(trx, organizationId, containerId)
  const queuedMessages = await countQueued(trx, organizationId, containerId)
  await recordActivity(trx, {
    organizationId,
    actor: toActor(caller),
    action: 'number.removed',
    subject: containerId,
    details: { label: number.label, phoneNumber: number.phoneNumber, queuedMessages },
  })
}

async function requireUnused(trx: Db, organizationId: string, containerId: string): Promise<void> {
  const { containerIds } = await findGroup(trx, organizationId)
  if (containerIds.includes(containerId)) {
    const message = 'The send group holds this number. Take it out of the group first: PUT /session/send-group.'
    throw apiError('IN_USE', message, { usedBy: 'send_group' })
  }
  if (await carriesCampaign(trx, organizationId, containerId)) {
    const message = 'A campaign sends through this number. Pause it first: POST /bulk/campaigns/:id/pause.'
    throw apiError('IN_USE', message, { usedBy: 'campaign' })
  }
}

/**
 * Empties a part of the queue of a number without a lane, and once nothing is left removes the number; answers whether it
 * is gone. It is the end of its transaction.
 */
async function empty(trx: Db, { clock }: Services, { organizationId, containerId }: OneNumber): Promise<boolean> {
  if ((await moveWaiting(trx, organizationId, containerId)).more) return false
  const failed = await failQueued(trx, organizationId, containerId, 'NUMBER_REMOVED', { limit: failBatch })
  const gone = failed.length < failBatch
  if (gone) await deleteNumber(trx, organizationId, containerId)
  const at = clock.now()
  await appendEvents(
    trx,
    failed.map((message) => messageEvent('message.failed', message, at)),
  )
  return gone
}

async function finish(services: Services, number: OneNumber, alreadyGone: boolean): Promise<void> {
  const { db, wake, gateway, log } = services
  for (let gone = alreadyGone; !gone; ) gone = await transaction(db, (trx) => emptyOnce(trx, services, number))
  for (const channel of ['lanes', 'lane-closed', 'events', 'deliveries'] as const) wake.signal(channel)
  try {
    await withGatewayTimeout(removeTimeoutMs, gateway.remove(number))
  } catch (error) {
    // Nothing refers to it any more; a session left at the network can send nothing for us.
    log.warn({ err: error, containerId: number.containerId }, 'the network did not forget a removed number')
  }
}

async function emptyOnce(trx: Db, services: Services, number: OneNumber): Promise<boolean> {
  await lockNumbers(trx, number.organizationId)
  return empty(trx, services, number)
}
