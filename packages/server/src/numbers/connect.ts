import { type Contract, products } from '@msgctl/contract'
import type { GatewaySession } from '@msgctl/network/gateway'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Request } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { applyState, moveNumber } from './connection/state.ts'
import { writeDesiredState } from './connection/state-store.ts'
import { gatewayCall } from './gateway-call.ts'
import { findNumber, hasEndedTrial, lockNumber, type NumberRow } from './records/store.ts'
import { requireHost } from './require-host.ts'
import { numberNotFound, resolveNumber } from './send-group/select-number.ts'

type Numbers = Contract['numbers']

/**
 * Starts a stopped or failed number and leaves a running one alone. Throws PRODUCT_REQUIRED or NO_ACTIVE_PRODUCT when
 * no product is active, and GATEWAY_UNREACHABLE while the host of the number does not respond. A number that the
 * network could not start is FAILED and may be started again.
 */
export async function startNumber({ caller, body }: Request<Numbers['start']>, services: Services) {
  const found = await resolveNumber(services.db, caller, body.containerId)
  await requireActiveProduct(services, caller)
  const { id, organizationId } = await requireHost(services, found)
  const session = { containerId: id, organizationId }
  const before = await transaction(services.db, async (trx) => {
    const { status } = await setDesiredState(trx, caller, id, 'running')
    // Under the lock of the number, so that only one of two concurrent requests starts it.
    if (isStartable(status)) {
      const state = { status: 'STARTING', me: null, reason: 'started' } as const
      await moveNumber(trx, { ...session, state, source: 'user' })
    }
    return status
  })
  if (isStartable(before)) await startSession(services, session)
  return { status: 'starting' as const, message: runningMessages[before] ?? startingMessage }
}

function isStartable(status: NumberRow['status']): boolean {
  return status === 'STOPPED' || status === 'FAILED'
}

const startingMessage = 'The number is connecting. This takes a few seconds.'
const runningMessages: Partial<Record<NumberRow['status'], string>> = {
  WORKING: 'The number is connected already. There is nothing to do.',
  SCAN_QR_CODE: 'The number runs already. Scan its QR with the phone, or ask for a pairing code.',
}

/**
 * Starts the session of a number that is STARTING. On failure it rethrows the error, and the number is FAILED unless
 * its state has changed since.
 */
export async function startSession(services: Services, session: GatewaySession): Promise<void> {
  const starting = await findNumber(services.db, session.organizationId, session.containerId)
  try {
    await gatewayCall(services.gateway.ensure(session))
    const state = await gatewayCall(services.gateway.start(session))
    await applyState(services, { ...session, state, source: 'network' })
  } catch (error) {
    const state = { status: 'FAILED', me: null, reason: 'start_failed' } as const
    // A call that timed out may have succeeded, and the report of the network may have been applied.
    if (starting) await applyState(services, { ...session, state, source: 'supervisor', expected: starting })
    throw error
  }
}

async function requireActiveProduct({ db }: Services, caller: Caller): Promise<void> {
  if (caller.products.size > 0) return
  const details = { products: [...products] }
  if (await hasEndedTrial(db, caller.organizationId)) {
    throw apiError(
      'PRODUCT_REQUIRED',
      'The free trial has ended, and a number runs only with an active product.',
      details,
    )
  }
  throw apiError(
    'NO_ACTIVE_PRODUCT',
    'The organization has no active product, and a number runs only with one.',
    details,
  )
}

/** Stops a number until it is started again; its queue waits. A stopped number is left alone. */
export async function stopNumber({ caller, body }: Request<Numbers['stop']>, services: Services) {
  const { id, organizationId } = await resolveNumber(services.db, caller, body.containerId)
  const session = { containerId: id, organizationId }
  await transaction(services.db, (trx) => setDesiredState(trx, caller, id, 'stopped'))
  const { sequence } = await gatewayCall(services.gateway.stop(session))
  const state = { status: 'STOPPED', me: null, reason: 'stopped', sequence } as const
  await applyState(services, { ...session, state, source: 'user' })
  return {
    status: 'stopped' as const,
    message: 'The number is stopped. Its link to the phone stays; start it to use it again.',
    containerId: id,
  }
}

/** Stores whether a number should run, with the activity log. Returns the number as it was, locked. */
async function setDesiredState(
  trx: Db,
  caller: Caller,
  containerId: string,
  desiredState: NumberRow['desiredState'],
): Promise<NumberRow> {
  const { organizationId } = caller
  const number = await lockNumber(trx, organizationId, containerId)
  if (!number) throw numberNotFound()
  await writeDesiredState(trx, organizationId, containerId, desiredState)
  await recordActivity(trx, {
    organizationId,
    actor: toActor(caller),
    action: desiredState === 'running' ? 'number.started' : 'number.stopped',
    subject: containerId,
  })
  return number
}
