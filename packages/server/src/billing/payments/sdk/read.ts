import type { Stripe } from 'stripe'
import { fromProvider } from '#billing/payments/minor-units.ts'
import type { ProviderCustomer, ProviderState } from '#billing/payments/provider-records.ts'
import { itemOf } from './lookup.ts'
import type { Prices } from './prices.ts'
import type { ItemsOfPrices, PaymentFacts } from './records.ts'
import { cardOf, idOf, intentOf, toCheckout, toInvoice, toSubscription } from './records.ts'
import { knownDecline, type Sdk } from './sdk.ts'

const nothing: PaymentFacts = { refunded: 0, disputed: false, failure: null, declineCode: null }

/** The states of a dispute in which the money is not the operator's. */
const openDispute = /^(warning_)?(needs_response|under_review)$/

/** Returns why the last attempt to pay failed. */
export function failureOfIntent(intent: Stripe.PaymentIntent): Pick<PaymentFacts, 'failure' | 'declineCode'> {
  const error = intent.last_payment_error
  const asks = intent.status === 'requires_action' || error?.code === 'authentication_required'
  if (asks) return { failure: 'authentication_required', declineCode: null }
  return { failure: 'card_declined', declineCode: knownDecline(error?.decline_code) }
}

async function factsOf(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  charges: readonly Stripe.Charge[],
): Promise<PaymentFacts> {
  const intent = intentOf(invoice)
  if (invoice.status === 'open') {
    if (!invoice.attempted) return nothing
    if (intent === null) return { ...nothing, failure: 'card_declined', declineCode: 'generic_decline' }
    return { ...nothing, ...failureOfIntent(await stripe.paymentIntents.retrieve(intent)) }
  }
  const charge = charges.find((one) => one.paid && idOf(one.payment_intent) === intent)
  if (!charge || intent === null) return nothing
  if (!charge.disputed) return { ...nothing, refunded: charge.amount_refunded }
  const { data } = await stripe.disputes.list({ charge: charge.id, limit: 10 })
  return { ...nothing, refunded: charge.amount_refunded, disputed: data.some((one) => openDispute.test(one.status)) }
}

/** Returns which prices are of which items, those of before too. */
async function itemsOf(
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
  subscriptions: readonly Stripe.Subscription[],
  known: Map<string, ReturnType<typeof itemOf>>,
): Promise<ItemsOfPrices> {
  for (const { items } of subscriptions) for (const { price } of items.data) known.set(price.id, itemOf(price))
  const named = invoices.flatMap(({ lines }) => lines.data.map((line) => line.pricing?.price_details?.price))
  for (const id of new Set(named.filter((price) => typeof price === 'string'))) {
    if (!known.has(id)) known.set(id, itemOf(await stripe.prices.retrieve(id)))
  }
  return known
}

function toCustomer(customer: Stripe.Customer, subscriptions: readonly Stripe.Subscription[]): ProviderCustomer {
  const currency = customer.currency?.toUpperCase() ?? null
  // A subscription may have a card of its own, which then pays.
  const living = subscriptions.filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
  const own = living.map((subscription) => cardOf(subscription.default_payment_method)).find((card) => card !== null)
  return {
    id: customer.id,
    organizationId: customer.metadata.organizationId ?? null,
    email: customer.email,
    name: customer.name ?? null,
    country: customer.address?.country ?? null,
    currency,
    credit: currency === null ? 0 : fromProvider(Math.max(0, -customer.balance), currency),
    card: own ?? cardOf(customer.invoice_settings.default_payment_method),
  }
}

/**
 * Reads all about a customer; null when it was deleted. Throws for one that the provider does not know: then the key is
 * that of another account, and nothing follows about this one.
 */
export function reader({ stripe }: Pick<Sdk, 'stripe'>, prices: Prices) {
  const known = new Map<string, ReturnType<typeof itemOf>>()
  return async function read(customerId: string): Promise<ProviderState | null> {
    const customer = await stripe.customers.retrieve(customerId, {
      expand: ['invoice_settings.default_payment_method'],
    })
    if (customer.deleted) return null
    const [subscriptions, listed, checkouts] = await Promise.all([
      stripe.subscriptions.list({
        customer: customerId,
        status: 'all',
        limit: 100,
        expand: ['data.default_payment_method'],
      }),
      stripe.invoices.list({ customer: customerId, limit: 40, expand: ['data.payments'] }),
      stripe.checkout.sessions.list({ customer: customerId, limit: 5 }),
    ])
    const invoices = listed.data.filter(({ status }) => status !== 'draft').slice(0, 20)
    const isPaid = invoices.some(({ status, amount_paid: paid }) => status === 'paid' && paid > 0)
    const charges = isPaid ? (await stripe.charges.list({ customer: customerId, limit: 100 })).data : []
    const items = await itemsOf(stripe, invoices, subscriptions.data, known)
    const oldestFirst = [...subscriptions.data].sort((a, b) => a.created - b.created)
    return {
      customer: toCustomer(customer, subscriptions.data),
      subscriptions: await Promise.all(oldestFirst.map((one) => toSubscription(prices, one))),
      invoices: await Promise.all(
        invoices.map(async (invoice) => toInvoice(invoice, await factsOf(stripe, invoice, charges), items)),
      ),
      checkouts: checkouts.data.map(toCheckout),
      livemode: customer.livemode,
    }
  }
}
