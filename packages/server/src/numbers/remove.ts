import type { Contract } from '@msgctl/contract'
import type { GatewaySession } from '@msgctl/network/gateway'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Request } from '#api/http/handler.ts'
import { appendEvents } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { deleteLane } from './lanes/lane-store.ts'
import { carriesCampaign, countQueued, failQueued } from './lanes/queued-store.ts'
import { findActiveBot } from './records/bot-store.ts'
import { deleteNumber, lockNumber, lockNumbers, type NumberRow } from './records/store.ts'
import { moveWaiting } from './send-group/failover.ts'
import { lockLanes } from './send-group/failover-store.ts'
import { numberNotFound } from './send-group/select-number.ts'
import { findGroup } from './send-group/send-group-store.ts'
import { findWithoutLane } from './sweep-store.ts'

const removeTimeoutMs = 10_000

/** The most messages that one transaction of a removal fails, so that it holds its locks briefly. */
const failBatch = 5000

/** A number with its driver, because the row is deleted before the call to the network. */
type OneNumber = GatewaySession

/**
 * Removes a number. Queued messages move to another number; pinned ones, or all when there is no other number, fail
 * with NUMBER_REMOVED. Its key stops working. When it was the default, the oldest other number becomes the default.
 * Throws NOT_FOUND, and IN_USE while the send group contains it, a campaign sends through it or an active assistant
 * uses it.
 */
export async function removeNumber(request: Request<Contract['numbers']['delete']>, services: Services) {
  const { caller, params } = request
  const number = { organizationId: caller.organizationId, containerId: params.containerId }
  const { gone, gateway } = await transaction(services.db, async (trx) => {
    const { gateway } = await begin(trx, caller, number)
    return { gone: await empty(trx, services, number), gateway }
  })
  await finish(services, { ...number, gateway }, gone)
  return {}
}

/**
 * Completes removals that a crash interrupted, of all organizations: a number without a lane is one whose removal has
 * begun.
 */
export async function finishRemovals(services: Services): Promise<void> {
  for (const number of await findWithoutLane(services.db)) await finish(services, number, false)
}

/**
 * Deletes the lane: nothing can be queued on the number any more, and its removal cannot be undone. Returns the number.
 */
async function begin(trx: Db, caller: Caller, { organizationId, containerId }: OneNumber): Promise<NumberRow> {
  await lockNumbers(trx, organizationId)
  const number = await lockNumber(trx, organizationId, containerId)
  if (!number) throw numberNotFound()
  await requireUnused(trx, organizationId, containerId)
  // Once the lanes are locked, concurrent sends have committed; without the lane no new one can.
  const lanes = await lockLanes(trx, organizationId)
  if (!lanes.some(({ id }) => id === containerId)) return number
  await deleteLane(trx, organizationId, containerId)
  const queuedMessages = await countQueued(trx, organizationId, containerId)
  await recordActivity(trx, {
    organizationId,
    actor: toActor(caller),
    action: 'number.removed',
    subject: containerId,
    details: { label: number.label, phoneNumber: number.phoneNumber, queuedMessages },
  })
  return number
}

async function requireUnused(trx: Db, organizationId: string, containerId: string): Promise<void> {
  const { containerIds } = await findGroup(trx, organizationId)
  if (containerIds.includes(containerId)) {
    const message = 'The send group contains this number. Remove it from the group first: PUT /session/send-group.'
    throw apiError('IN_USE', message, { usedBy: 'send_group' })
  }
  if (await findActiveBot(trx, organizationId, containerId)) {
    const message = 'An active assistant uses this number. Pause it, or take the number from it: PUT /bots/:botId.'
    throw apiError('IN_USE', message, { usedBy: 'assistant' })
  }
  if (await carriesCampaign(trx, organizationId, containerId)) {
    const message = 'A campaign sends through this number. Pause it first: POST /bulk/campaigns/:id/pause.'
    throw apiError('IN_USE', message, { usedBy: 'campaign' })
  }
}

/**
 * Empties a part of the queue of a number without a lane, and deletes the number once nothing is left. Returns whether
 * it was deleted. The last step of its transaction.
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
  const { db, gateway, log } = services
  for (let gone = alreadyGone; !gone; ) gone = await transaction(db, (trx) => emptyOnce(trx, services, number))
  try {
    await withGatewayTimeout(removeTimeoutMs, gateway.remove(number))
  } catch (error) {
    // Nothing refers to the session any more, and it can send nothing for us.
    log.warn(
      { event: 'session_remove_failed', err: error, containerId: number.containerId },
      'failed to remove a session at the network',
    )
  }
}

async function emptyOnce(trx: Db, services: Services, number: OneNumber): Promise<boolean> {
  await lockNumbers(trx, number.organizationId)
  return empty(trx, services, number)
}
