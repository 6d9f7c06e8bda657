import type { Contract } from '@msgctl/contract'
import { v7 as newId } from 'uuid'
import { actorOf, recordActivity } from '../activity/log.ts'
import { transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { allowanceOf } from './allowance.ts'
import { noSuchNumber } from './choose.ts'
import { findNumber, insertNumber, listNumbers, lockAllowance, lockNumber, updateNumber } from './store.ts'
import { numberView } from './view.ts'

type Numbers = Contract['numbers']

/** Adds a number and starts it. Throws NUMBER_LIMIT_REACHED past the allowance (specification, "GET /session/list"). */
export async function createNumber(request: Request<Numbers['create']>, services: Services) {
  const { caller, body, idempotency } = request
  const { organizationId } = caller
  const answer = await idempotency.transact(async (trx) => {
    const bought = await lockAllowance(trx, organizationId)
    const used = (await listNumbers(trx, organizationId)).length
    const allowance = allowanceOf(caller.products, bought?.extra ?? 0, used)
    if (!allowance.canCreate) {
      const { max, included, extra, capped } = allowance
      throw apiError('NUMBER_LIMIT_REACHED', `All ${max} allowed numbers are used. Buy extra numbers or remove one.`, {
        max,
        used,
        included,
        extra,
        capped,
      })
    }
    const id = newId()
    await insertNumber(trx, { id, organizationId, label: body.label, instanceName: `number-${id}` })
    await recordActivity(trx, {
      organizationId,
      actor: actorOf(caller),
      action: 'number.created',
      subject: id,
      details: { label: body.label },
    })
    const created = await findNumber(trx, organizationId, id)
    if (!created) throw new Error('a number that was just added is not there')
    return { session: numberView(created) }
  })
  const session = { containerId: answer.session.id, organizationId }
  try {
    await services.gateway.ensure(session)
    await services.gateway.start(session)
  } catch (error) {
    // The number exists; whoever looks at it sees STARTING, and start or reconnect tries again.
    services.log.warn({ err: error, containerId: session.containerId }, 'a new number could not be started')
  }
  return answer
}

/** Renames a number or makes it the default. Throws NOT_FOUND. */
export async function changeNumber(request: Request<Numbers['update']>, services: Services) {
  const { caller, params, body } = request
  const { organizationId } = caller
  return transaction(services.db, async (trx) => {
    if (!(await lockNumber(trx, organizationId, params.containerId))) throw noSuchNumber()
    await updateNumber(trx, organizationId, params.containerId, {
      label: body.label ?? null,
      isDefault: body.isDefault ?? false,
    })
    await recordActivity(trx, {
      organizationId,
      actor: actorOf(caller),
      action: 'number.changed',
      subject: params.containerId,
      details: body,
    })
    const changed = await findNumber(trx, organizationId, params.containerId)
    if (!changed) throw noSuchNumber()
    return { session: numberView(changed) }
  })
}
