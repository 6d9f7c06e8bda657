import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type Allowance, computeAllowance, numberQuota } from './allowance.ts'
import { startSession } from './connect.ts'
import { findExtra, findNumber, insertNumber, lockNumber, lockNumbers, updateNumber } from './records/store.ts'
import { numberView } from './records/view.ts'
import { listCandidates } from './send-group/candidate-store.ts'
import { numberNotFound } from './send-group/select-number.ts'

type Numbers = Contract['numbers']

/**
 * Adds a number and starts it. Throws NUMBER_LIMIT_REACHED past the allowance (specification, "GET /session/list"),
 * FORBIDDEN_ACTION quota_reached, and PORT_EXHAUSTED while no host has room for it.
 */
export async function createNumber(request: Request<Numbers['create']>, services: Services) {
  const { caller, body, idempotency } = request
  const { organizationId } = caller
  const hasRoom = await services.gateway.hasRoom()
  const response = await idempotency.transact(async (trx) => {
    await lockNumbers(trx, organizationId)
    const { extra } = await findExtra(trx, organizationId)
    const used = (await listCandidates(trx, organizationId, null)).length
    requireAllowance(computeAllowance(caller.products, extra, used))
    requireQuota(caller, used)
    if (!hasRoom) {
      throw apiError('PORT_EXHAUSTED', 'No host has room for another number. Ask the operator to start one more host.')
    }
    const id = newId()
    await insertNumber(trx, {
      id,
      organizationId,
      gateway: services.config.gateway,
      label: body.label,
      instanceName: `number-${id}`,
    })
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'number.created',
      subject: id,
      details: { label: body.label },
    })
    const created = await findNumber(trx, organizationId, id)
    if (!created) throw new Error('a number that was just added is not there')
    return { session: numberView(created) }
  })
  try {
    await startSession(services, { containerId: response.session.id, organizationId })
  } catch (error) {
    // The number exists. It is FAILED and can be started again.
    services.log.warn(
      { event: 'number_start_failed', err: error, containerId: response.session.id },
      'failed to start a new number',
    )
  }
  return response
}

function requireAllowance({ canCreate, max, used, included, extra, capped }: Allowance): void {
  if (canCreate) return
  const message =
    max === 0
      ? 'Without an active product no number can be added.'
      : `The organization has ${used} of ${max} allowed numbers. Buy extra numbers or remove one.`
  throw apiError('NUMBER_LIMIT_REACHED', message, { max, used, included, extra, capped })
}

function requireQuota(caller: { readonly trial: boolean }, used: number): void {
  const limit = numberQuota(caller)
  if (used < limit) return
  throw apiError(
    'FORBIDDEN_ACTION',
    `An organization${caller.trial ? ' on trial' : ''} has at most ${limit} numbers. Remove one that you do not need.`,
    { reason: 'quota_reached', limit, used, requested: 1 },
  )
}

/** Renames a number or makes it the default. Throws NOT_FOUND. */
export async function changeNumber(request: Request<Numbers['update']>, services: Services) {
  const { caller, params, body } = request
  const { organizationId } = caller
  return transaction(services.db, async (trx) => {
    await lockNumbers(trx, organizationId)
    if (!(await lockNumber(trx, organizationId, params.containerId))) throw numberNotFound()
    await updateNumber(trx, organizationId, params.containerId, {
      label: body.label ?? null,
      isDefault: body.isDefault ?? false,
    })
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'number.changed',
      subject: params.containerId,
      details: body,
    })
    const changed = await findNumber(trx, organizationId, params.containerId)
    if (!changed) throw numberNotFound()
    return { session: numberView(changed) }
  })
}
