import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { applyState, finishTransition, moveNumber } from './connection/state.ts'
import { writeDesiredState } from './connection/state-store.ts'
import { gatewayCall } from './gateway-call.ts'
import { lockNumber, type NumberRow } from './records/store.ts'
import { toSession } from './records/view.ts'
import { numberNotFound, resolveNumber } from './send-group/select-number.ts'

/**
 * Restarts the connection of a number and keeps the link to its phone (specification, "POST /session/reconnect").
 * Throws FORBIDDEN_ACTION for a stopped number and SESSION_NOT_CONNECTED for one that waits to be linked. When the
 * network cannot be reached it throws GATEWAY_UNREACHABLE or UPSTREAM_TIMEOUT, and the supervisor continues.
 */
export async function reconnectNumber({ caller, body }: Request<Contract['numbers']['reconnect']>, services: Services) {
  const { db, gateway } = services
  const number = await resolveNumber(db, caller, body.containerId)
  const { id: containerId, organizationId } = number
  requireReconnectable(number)
  const session = toSession(number)
  // Throws before anything changes when the host still does not respond.
  if (number.status === 'UNREACHABLE') await gatewayCall(gateway.state(session))
  const applied = await transaction(db, async (trx) => {
    const locked = await lockNumber(trx, organizationId, containerId)
    if (!locked) throw numberNotFound()
    requireReconnectable(locked)
    // Cancels an earlier stop that could not be executed.
    await writeDesiredState(trx, organizationId, containerId, 'running')
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'number.reconnected',
      subject: containerId,
    })
    const state = { status: 'STARTING', me: null, reason: 'reconnect' } as const
    return moveNumber(trx, { ...session, state, source: 'user' })
  })
  await finishTransition(services, organizationId, applied)
  await gatewayCall(gateway.ensure(session))
  const state = await gatewayCall(gateway.restart(session))
  await applyState(services, { ...session, state, source: 'network' })
  return {
    status: 'starting' as const,
    message: 'The number is reconnecting and keeps its link to the phone. This takes a few seconds.',
    containerId,
  }
}

function requireReconnectable({ status }: Pick<NumberRow, 'status'>): void {
  if (status === 'STOPPED') {
    throw apiError('FORBIDDEN_ACTION', 'The number is stopped. Start it instead: POST /session/start.', {
      reason: 'stopped',
      status,
    })
  }
  if (status === 'SCAN_QR_CODE') {
    throw apiError('SESSION_NOT_CONNECTED', 'The number waits for its QR to be scanned; there is no link to keep.', {
      status,
    })
  }
}
