import type { Stripe } from 'stripe'
import { expireSession, openSession, payInvoice } from '#billing/payments/simulator/rules/checkouts.ts'
import { voidInvoice } from '#billing/payments/simulator/rules/invoices.ts'
import { cardOf } from '#billing/payments/simulator/rules/payments.ts'
import { cancelNow } from '#billing/payments/simulator/rules/subscriptions.ts'
import { type UpdateParams, updateSubscription } from '#billing/payments/simulator/rules/update.ts'
import { byId, missing, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { type ApiCall, type ApiRoute, byCustomer, byPath, idOf, newestFirst, page } from './call.ts'
import { listAt, textOf, textsAt } from './form.ts'

const live = new Set(['active', 'past_due', 'unpaid', 'incomplete', 'trialing', 'paused'])

function sessionAt(play: Play, call: ApiCall): Stripe.Checkout.Session {
  const found = play.world.checkouts.find(({ session }) => session.id === idOf(call))
  if (!found) throw missing('checkout.session', idOf(call))
  return found.session
}

function newCheckout(play: Play, call: ApiCall): object {
  const { params } = call
  if (play.world.deleted) throw missing('customer', play.world.customer.id)
  if (textOf(params, 'mode') !== 'subscription') throw new Refusal('The simulator sells subscriptions only.')
  const expiresAt = Number(textOf(params, 'expires_at') ?? play.now + 86_400)
  if (expiresAt < play.now + 1700 || expiresAt > play.now + 86_400 + 100) {
    throw new Refusal('The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from now.')
  }
  const tax = textOf(params, 'automatic_tax', 'enabled') === 'true'
  if (tax && textOf(params, 'customer_update', 'address') !== 'auto') {
    throw new Refusal('Automatic tax calculation in Checkout requires `customer_update[address]`.')
  }
  return openSession(play, {
    lines: listAt(params, 'line_items').map((line) => ({
      price: textOf(line, 'price') ?? '',
      quantity: Number(textOf(line, 'quantity') ?? 1),
    })),
    currency: textOf(params, 'currency') ?? play.prices[0]?.currency ?? 'usd',
    tax,
    taxIds: textOf(params, 'tax_id_collection', 'enabled') === 'true',
    successUrl: textOf(params, 'success_url') ?? '',
    cancelUrl: textOf(params, 'cancel_url') ?? '',
    expiresAt,
    metadata: textsAt(params, 'metadata'),
  })
}

/** Calls about pages for buying, subscriptions and invoices. */
export const subscriptionCalls: readonly ApiRoute[] = [
  { call: /^POST \/v1\/checkout\/sessions$/, whose: byCustomer, run: newCheckout },
  {
    call: /^GET \/v1\/checkout\/sessions$/,
    whose: byCustomer,
    run(play, call) {
      const status = textOf(call.params, 'status')
      const sessions = play.world.checkouts.map(({ session }) => session)
      const found = sessions.filter((session) => status === undefined || session.status === status)
      return page(call, newestFirst(found), '/v1/checkout/sessions')
    },
  },
  { call: /^GET \/v1\/checkout\/sessions\/(\w+)$/, whose: byPath, run: sessionAt },
  {
    call: /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/,
    whose: byPath,
    run(play, call) {
      const session = sessionAt(play, call)
      if (session.status !== 'open') {
        throw new Refusal('Only Checkout Sessions with a status in ["open"] can be expired.')
      }
      expireSession(play, session)
      return session
    },
  },
  {
    call: /^GET \/v1\/subscriptions$/,
    whose: byCustomer,
    run(play, call) {
      const all = textOf(call.params, 'status') === 'all'
      const found = play.world.subscriptions.filter(({ status }) => all || live.has(status))
      return page(call, newestFirst(found), '/v1/subscriptions')
    },
  },
  {
    call: /^GET \/v1\/subscriptions\/(\w+)$/,
    whose: byPath,
    run: (play, call) => byId(play.world.subscriptions, idOf(call), 'subscription'),
  },
  {
    call: /^POST \/v1\/subscriptions\/(\w+)$/,
    whose: byPath,
    run(play, call) {
      const subscription = byId(play.world.subscriptions, idOf(call), 'subscription')
      updateSubscription(play, subscription, call.params as UpdateParams)
      return subscription
    },
  },
  {
    call: /^DELETE \/v1\/subscriptions\/(\w+)$/,
    whose: byPath,
    run(play, call) {
      const subscription = byId(play.world.subscriptions, idOf(call), 'subscription')
      cancelNow(play, subscription)
      return subscription
    },
  },
  {
    call: /^GET \/v1\/invoices$/,
    whose: byCustomer,
    run: (play, call) => page(call, newestFirst(play.world.invoices), '/v1/invoices'),
  },
  {
    call: /^GET \/v1\/invoices\/(\w+)$/,
    whose: byPath,
    run: (play, call) => byId(play.world.invoices, idOf(call), 'invoice'),
  },
  {
    call: /^POST \/v1\/invoices\/(\w+)\/void$/,
    whose: byPath,
    run(play, call) {
      const invoice = byId(play.world.invoices, idOf(call), 'invoice')
      if (invoice.status !== 'open') throw new Refusal('You can only pass in open invoices.')
      voidInvoice(play, invoice)
      for (const subscription of play.world.subscriptions) {
        const waits = play.world.pending.find(
          (one) => one.invoice === invoice.id && one.subscription === subscription.id,
        )
        if (!waits) continue
        play.world.pending = play.world.pending.filter((one) => one !== waits)
        subscription.pending_update = null
      }
      return invoice
    },
  },
  {
    call: /^POST \/v1\/invoices\/(\w+)\/pay$/,
    whose: byPath,
    run(play, call) {
      const invoice = byId(play.world.invoices, idOf(call), 'invoice')
      const id = String(invoice.parent?.subscription_details?.subscription)
      const card = cardOf(play, byId(play.world.subscriptions, id, 'subscription'))
      const { outcome, declineCode } = payInvoice(play, invoice, { authenticate: false }, card)
      if (outcome === 'paid') return invoice
      const code = outcome === 'declined' ? 'card_declined' : 'authentication_required'
      const decline = declineCode === null ? {} : { declineCode }
      throw new Refusal('Your card was declined.', { status: 402, type: 'card_error', code, ...decline })
    },
  },
]
