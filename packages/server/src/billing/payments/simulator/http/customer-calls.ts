import type { Stripe } from 'stripe'
import { addressIn } from '#billing/payments/simulator/objects/nulls.ts'
import { newPortal } from '#billing/payments/simulator/objects/session.ts'
import { refund } from '#billing/payments/simulator/rules/payments.ts'
import { cancelNow } from '#billing/payments/simulator/rules/subscriptions.ts'
import { customersOf, lockWorld } from '#billing/payments/simulator/store.ts'
import { byId, emit, missing, newId, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { type ApiCall, type ApiRoute, byCustomer, byPath, idOf, needed, newestFirst, page } from './call.ts'
import { textOf, textsAt } from './form.ts'

function applyCustomer(play: Play, call: ApiCall): Stripe.Customer {
  const { customer } = play.world
  const { params } = call
  const text = (name: string) => textOf(params, name)
  if (text('email') !== undefined) customer.email = text('email') || null
  if (text('name') !== undefined) customer.name = text('name') || null
  const country = textOf(params, 'address', 'country')
  if (country !== undefined) customer.address = addressIn(country || null)
  customer.metadata = { ...customer.metadata, ...textsAt(params, 'metadata') }
  return customer
}

/** The part of a customer that anyone sees who has its id, also once it was deleted. */
function seen(play: Play): object {
  const { customer, deleted } = play.world
  return deleted ? { id: customer.id, object: 'customer', deleted: true } : customer
}

function requireThere(play: Play): void {
  if (play.world.deleted) throw missing('customer', play.world.customer.id)
}

/** Calls about customers, their portal, charges and refunds. */
export const customerCalls: readonly ApiRoute[] = [
  {
    call: /^GET \/v1\/customers\/search$/,
    async runOnCatalog(_sim, trx, _catalog, call) {
      const query = needed(call, 'query')
      const owner = /^metadata\['organizationId'\]:'([0-9a-f-]{36})'$/.exec(query)?.[1]
      if (owner === undefined) throw new Refusal('The simulator searches for organizationId in metadata only.')
      const worlds = await Promise.all((await customersOf(trx, owner)).map((id) => lockWorld(trx, id)))
      const data = worlds.flatMap((world) => (world && !world.deleted ? [world.customer] : []))
      return { object: 'search_result', url: '/v1/customers/search', has_more: false, next_page: null, data }
    },
  },
  { call: /^POST \/v1\/customers$/, whose: () => null, run: applyCustomer },
  { call: /^GET \/v1\/customers\/(\w+)$/, whose: byPath, run: seen },
  {
    call: /^POST \/v1\/customers\/(\w+)$/,
    whose: byPath,
    run(play, call) {
      requireThere(play)
      const customer = applyCustomer(play, call)
      emit(play, 'customer.updated', customer)
      return customer
    },
  },
  {
    call: /^DELETE \/v1\/customers\/(\w+)$/,
    whose: byPath,
    run(play) {
      requireThere(play)
      for (const subscription of play.world.subscriptions) {
        if (subscription.status !== 'canceled') cancelNow(play, subscription)
      }
      emit(play, 'customer.deleted', play.world.customer)
      play.world.deleted = true
      return seen(play)
    },
  },
  {
    call: /^POST \/v1\/billing_portal\/sessions$/,
    whose: byCustomer,
    run(play, call) {
      requireThere(play)
      const id = newId(play, 'bps')
      const portal = newPortal(
        { id, now: play.now },
        {
          customer: play.world.customer.id,
          configuration: textOf(call.params, 'configuration') ?? 'bpc_simulated',
          url: `${play.pages}/portal/${id}`,
          returnUrl: textOf(call.params, 'return_url') ?? '',
        },
      )
      play.world.portals.push(portal)
      return portal
    },
  },
  {
    call: /^GET \/v1\/charges$/,
    whose: byCustomer,
    run: (play, call) => page(call, newestFirst(play.world.charges), '/v1/charges'),
  },
  {
    call: /^GET \/v1\/charges\/(\w+)$/,
    whose: byPath,
    run: (play, call) => byId(play.world.charges, idOf(call), 'charge'),
  },
  {
    call: /^POST \/v1\/refunds$/,
    whose: (call) => textOf(call.params, 'charge') ?? needed(call, 'payment_intent'),
    run(play, call) {
      const { charges } = play.world
      const intent = textOf(call.params, 'payment_intent')
      const charge = charges.find((one) => one.paid && one.payment_intent === intent)
      const amount = textOf(call.params, 'amount')
      const of = charge ?? byId(charges, textOf(call.params, 'charge') ?? '', 'charge')
      return refund(play, of, amount === undefined ? undefined : Number(amount))
    },
  },
  {
    call: /^GET \/v1\/disputes$/,
    whose: (call) => textOf(call.params, 'charge') ?? needed(call, 'payment_intent'),
    run(play, call) {
      const charge = textOf(call.params, 'charge')
      const intent = textOf(call.params, 'payment_intent')
      const found = play.world.disputes.filter((one) => one.charge === charge || one.payment_intent === intent)
      return page(call, newestFirst(found), '/v1/disputes')
    },
  },
  {
    call: /^GET \/v1\/payment_intents\/(\w+)$/,
    whose: byPath,
    run: (play, call) => byId(play.world.intents, idOf(call), 'payment_intent'),
  },
]
