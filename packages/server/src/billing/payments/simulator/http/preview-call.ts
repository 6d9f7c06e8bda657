import type { Stripe } from 'stripe'
import type { PaySim } from '#billing/payments/simulator/context.ts'
import { newCustomer } from '#billing/payments/simulator/objects/customer.ts'
import { addressIn } from '#billing/payments/simulator/objects/nulls.ts'
import { periodEnd } from '#billing/payments/simulator/rules/calendar.ts'
import { draftInvoice } from '#billing/payments/simulator/rules/invoices.ts'
import { periodLines } from '#billing/payments/simulator/rules/lines.ts'
import { createSubscription, intervalOf } from '#billing/payments/simulator/rules/subscriptions.ts'
import { type ItemParams, plannedChange } from '#billing/payments/simulator/rules/update.ts'
import { lockWorld } from '#billing/payments/simulator/store.ts'
import { playOf } from '#billing/payments/simulator/with-customer.ts'
import { byId, emptyWorld, missing, newCustomerId, type Play } from '#billing/payments/simulator/world.ts'
import type { Db } from '#platform/db/db.ts'
import { type ApiCall, type CatalogRoute, needed } from './call.ts'
import { listAt, textOf } from './form.ts'

/** Returns what is previewed on: a copy, of which nothing is stored. */
async function copyOf(sim: PaySim, trx: Db, call: ApiCall): Promise<Play> {
  const customerId = textOf(call.params, 'customer')
  if (customerId !== undefined) {
    const world = await lockWorld(trx, customerId)
    if (!world || world.deleted) throw missing('customer', customerId)
    return playOf(sim, trx, world)
  }
  const customer = newCustomer({ id: newCustomerId(), now: 0 })
  const play = await playOf(sim, trx, emptyWorld(customer))
  play.world.customer.address = addressIn(textOf(call.params, 'customer_details', 'address', 'country') ?? null)
  return play
}

function previewChange(play: Play, call: ApiCall, subscriptionId: string): Stripe.Invoice {
  const subscription = byId(play.world.subscriptions, subscriptionId, 'subscription')
  const { params } = call
  const behavior = textOf(params, 'subscription_details', 'proration_behavior') ?? 'create_prorations'
  const items = listAt(params, 'subscription_details', 'items') as unknown as readonly ItemParams[]
  const change = plannedChange(play, subscription, { items, proration_behavior: behavior })
  if (behavior === 'always_invoice') return draftInvoice(play, subscription, 'subscription_update', change.lines)
  // What comes with the next period.
  const [first] = change.items
  const start = first?.current_period_end ?? play.now
  const anchor = change.anchor ?? subscription.billing_cycle_anchor
  const end = periodEnd(anchor, intervalOf(change.items), start)
  const lines = periodLines(play, subscription, change.items, { start, end })
  return draftInvoice(play, subscription, 'upcoming', lines)
}

function previewFirst(play: Play, call: ApiCall): Stripe.Invoice {
  const lines = listAt(call.params, 'subscription_details', 'items').map((item) => ({
    price: byId(play.prices, textOf(item, 'price') ?? '', 'price'),
    quantity: Number(textOf(item, 'quantity') ?? 1),
  }))
  const currency = needed(call, 'currency')
  const tax = textOf(call.params, 'automatic_tax', 'enabled') === 'true'
  return createSubscription(play, { lines, currency, card: '', tax, metadata: {} }).invoice
}

/** Computes an invoice that is not made. */
export const previewCall: CatalogRoute = {
  call: /^POST \/v1\/invoices\/create_preview$/,
  async runOnCatalog(sim, trx, _catalog, call) {
    const play = await copyOf(sim, trx, call)
    const subscriptionId = textOf(call.params, 'subscription')
    const invoice = subscriptionId === undefined ? previewFirst(play, call) : previewChange(play, call, subscriptionId)
    const { id, ...rest } = invoice
    return { ...rest, id: `upcoming_${id}` }
  },
}
