import type { Contract } from '@msgctl/contract'
import { actorOf, recordActivity } from '../activity/log.ts'
import { transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { moveNumber, tellOthers } from './connection/state.ts'
import { writeWanted } from './connection/state-store.ts'
import { reach } from './reach.ts'
import { lockNumber, type NumberRow } from './records/store.ts'
import { sessionOf } from './records/view.ts'
import { chooseForLook, noSuchNumber } from './send-group/choose.ts'

/**
 * Makes the connection of a number anew and keeps the link to its phone (specification, "POST /session/reconnect").
 * Throws FORBIDDEN_ACTION for a stopped number, SESSION_NOT_CONNECTED for one that waits to be linked, and the codes for
 * a network that cannot be reached; then the supervisor goes on.
 */
export async function reconnectNumber({ caller, body }: Request<Contract['numbers']['reconnect']>, services: Services) {
  const { db, gateway } = services
  const number = await chooseForLook(db, caller, body.containerId)
  const { id: containerId, organizationId } = number
  demandReconnectable(number)
  const session = sessionOf(number)
  // Nothing changes for a number whose host does not answer now either.
  if (number.status === 'UNREACHABLE') await reach(gateway.state(session))
  const applied = await transaction(db, async (trx) => {
    const locked = await lockNumber(trx, organizationId, containerId)
    if (!locked) throw noSuchNumber()
    demandReconnectable(locked)
    // An earlier stop that could not be carried out is taken back.
    await writeWanted(trx, organizationId, containerId, 'running')
    await recordActivity(trx, {
      organizationId,
      actor: actorOf(caller),
      action: 'number.reconnected',
      subject: containerId,
    })
    const state = { status: 'STARTING', me: null, reason: 'reconnect' } as const
    return moveNumber(trx, { ...session, state, source: 'user' })
  })
  await tellOthers(services, organizationId, applied)
  await reach(gateway.ensure(session))
  await reach(gateway.restart(session))
  return {
    status: 'starting' as const,
    message: 'The number is reconnecting and keeps its link to the phone. This takes a few seconds.',
    containerId,
  }
}

function demandReconnectable({ status }: Pick<NumberRow, 'status'>): void {
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
