import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { finishTransition, moveNumber } from './connection/state.ts'
import { clearLink } from './connection/state-store.ts'
import { gatewayCall } from './gateway-call.ts'
import { creditUser } from './history-store.ts'
import { countQueued } from './lanes/queued-store.ts'
import { lockNumber } from './records/store.ts'
import { toSession } from './records/view.ts'
import { numberNotFound, resolveNumber } from './send-group/select-number.ts'

/**
 * Ends the link of a number to its phone. A running number shows a QR afterwards; a stopped one stays stopped. Its
 * queue waits, and is held when another phone is linked. Throws SESSION_NOT_CONNECTED without a link.
 */
export async function logoutNumber({ caller, body }: Request<Contract['numbers']['logout']>, services: Services) {
  const { db, gateway } = services
  const number = await resolveNumber(db, caller, body.containerId)
  const { id: containerId, organizationId, status } = number
  if (number.networkId === null) {
    throw apiError('SESSION_NOT_CONNECTED', 'No phone is linked to the number, so there is nothing to log out.', {
      status,
    })
  }
  const session = toSession(number)
  const { sequence } = await gatewayCall(gateway.logout(session))
  const applied = await transaction(db, async (trx) => {
    const locked = await lockNumber(trx, organizationId, containerId)
    if (!locked) throw numberNotFound()
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'number.logged_out',
      subject: containerId,
      details: { phoneNumber: number.phoneNumber },
    })
    if (locked.status === 'STOPPED') {
      await clearLink(trx, organizationId, containerId)
      return null
    }
    // The report of the network may have been applied before this line.
    await creditUser(trx, locked, { to: 'SCAN_QR_CODE', reason: 'logged_out', since: number.statusSince })
    const state = { status: 'SCAN_QR_CODE', me: null, reason: 'logged_out', sequence } as const
    return moveNumber(trx, { ...session, state, source: 'user' })
  })
  if (applied) await finishTransition(services, organizationId, applied)
  return {
    status: 'logged_out' as const,
    message: 'The number is no longer linked. Scan its QR or pair it to use it again.',
    containerId,
    heldMessages: await countQueued(db, organizationId, containerId),
  }
}
