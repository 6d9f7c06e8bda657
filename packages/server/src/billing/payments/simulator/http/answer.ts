import { createHash } from 'node:crypto'
import type { PaySim } from '#billing/payments/simulator/context.ts'
import { customerIdOf } from '#billing/payments/simulator/customer-id.ts'
import { newCustomer } from '#billing/payments/simulator/objects/customer.ts'
import { findResponse, readCatalog, saveResponse } from '#billing/payments/simulator/store.ts'
import { playOf, storePlay, withCustomer } from '#billing/payments/simulator/with-customer.ts'
import { emptyWorld, newCustomerId, Refusal } from '#billing/payments/simulator/world.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { ApiCall, ApiRoute, CustomerRoute } from './call.ts'
import { catalogCalls } from './catalog-calls.ts'
import { customerCalls } from './customer-calls.ts'
import { shown } from './expand.ts'
import { readForm } from './form.ts'
import { previewCall } from './preview-call.ts'
import { subscriptionCalls } from './subscription-calls.ts'

const routes: readonly ApiRoute[] = [previewCall, ...customerCalls, ...subscriptionCalls, ...catalogCalls]

/** A response of the provider. */
export interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

function findCall(name: string, form: string): { call: ApiCall; route: ApiRoute } | undefined {
  for (const route of routes) {
    const match = route.call.exec(name)
    if (match) return { route, call: { name, ids: match.slice(1), params: readForm(form) } }
  }
  return undefined
}

async function run(sim: PaySim, trx: Db, route: ApiRoute, call: ApiCall): Promise<unknown> {
  if ('runOnCatalog' in route) {
    return shown(call, await route.runOnCatalog(sim, trx, await readCatalog(trx), call), null)
  }
  const id = route.whose(call)
  if (id === null) return create(sim, trx, route, call)
  return withCustomer({ ...sim, db: trx }, customerIdOf(id), (play) => shown(call, route.run(play, call), play.world))
}

async function create(sim: PaySim, trx: Db, route: CustomerRoute, call: ApiCall): Promise<unknown> {
  const now = Math.floor(sim.clock.now().getTime() / 1000)
  const play = await playOf(sim, trx, emptyWorld(newCustomer({ id: newCustomerId(), now })))
  const made = route.run(play, call)
  await storePlay(trx, play)
  return shown(call, made, play.world)
}

function refused({ message, status, type, code, declineCode }: Refusal): ApiResponse {
  const error = { type, message, ...(code && { code }), ...(declineCode && { decline_code: declineCode }) }
  return { status, body: { error } }
}

/**
 * Responds to a call of the provider's library. A call with an idempotency key is done once; repeated with other
 * parameters it is refused. A call that the simulator does not know gets 404, so that none can pass by luck.
 */
export async function answer(
  sim: PaySim,
  { name, form, idempotencyKey }: { name: string; form: string; idempotencyKey: string | null },
): Promise<ApiResponse> {
  const found = findCall(name, form)
  if (!found) {
    const message = `Unrecognized request URL (${name.replace(' ', ': ')}). The simulator does not know it.`
    return { status: 404, body: { error: { type: 'invalid_request_error', message } } }
  }
  const request = createHash('sha256').update(`${name}\n${form}`).digest('hex')
  try {
    return await transaction(sim.db, async (trx) => {
      const stored = idempotencyKey === null ? undefined : await findResponse(trx, idempotencyKey)
      if (stored && stored.request !== request) {
        throw new Refusal('Keys for idempotent requests can only be used with the same parameters.', {
          type: 'idempotency_error',
        })
      }
      if (stored) return { status: stored.status, body: stored.response }
      const body = await run(sim, trx, found.route, found.call)
      if (idempotencyKey !== null) {
        await saveResponse(trx, idempotencyKey, { request, status: 200, response: body }, sim.clock.now())
      }
      return { status: 200, body }
    })
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}
