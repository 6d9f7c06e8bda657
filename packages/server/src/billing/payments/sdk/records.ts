import type { Stripe } from 'stripe'
import { fromProvider } from '#billing/payments/minor-units.ts'
import type {
  InvoiceLine,
  PendingUpdate,
  PlanItem,
  PlanPeriod,
  ProviderCard,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
  SubscriptionStatus,
} from '#billing/payments/provider-records.ts'
import { itemOf } from './lookup.ts'
import type { Prices } from './prices.ts'

/** Returns the time of a number of seconds. */
export function at(seconds: number): Date {
  return new Date(seconds * 1000)
}

const atOrNull = (seconds: number | null | undefined) => (seconds == null ? null : at(seconds))

/** Returns the id of something that may be expanded. */
export function idOf(value: string | { readonly id?: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}

/** Returns a card as it is shown; null for another method, or one that is not expanded. */
export function cardOf(method: string | Stripe.PaymentMethod | null | undefined): ProviderCard | null {
  if (typeof method !== 'object' || !method?.card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { brand, last4, expMonth, expYear }
}

/** Returns the period that all items have; null without one. */
function periodOf(items: readonly { readonly price: Stripe.Price }[]): PlanPeriod | null {
  const found = new Set(items.map(({ price }) => `${price.recurring?.interval_count} ${price.recurring?.interval}`))
  if (found.size !== 1) return null
  if (found.has('1 month')) return 'month'
  return found.has('1 year') ? 'year' : null
}

/** A change that waits names the items that it changes; the others stay. */
function pendingOf(subscription: Stripe.Subscription): PendingUpdate | null {
  const pending = subscription.pending_update
  if (!pending) return null
  const changed = pending.subscription_items ?? []
  const stays = subscription.items.data.filter(({ id }) => !changed.some((item) => item.id === id))
  const items = [...stays, ...changed]
  return {
    expiresAt: at(pending.expires_at),
    period: periodOf(items),
    items: items.flatMap(({ price, quantity }) => {
      const item = itemOf(price)
      return item === null ? [] : [{ item, quantity: quantity ?? 1 }]
    }),
  }
}

/** Reads a subscription. */
export async function toSubscription(prices: Prices, subscription: Stripe.Subscription): Promise<ProviderSubscription> {
  const currency = subscription.currency.toUpperCase()
  const { data } = subscription.items
  const starts = data.map((item) => item.current_period_start)
  const ends = data.map((item) => item.current_period_end)
  const periodEnd = ends.length === 0 ? null : at(Math.min(...ends))
  const asked = subscription.cancel_at_period_end ? periodEnd : null
  const items = await Promise.all(
    data.map(async ({ id, price, quantity = 1 }) => ({
      id,
      item: itemOf(price),
      quantity,
      amount: quantity * (await prices.amountOf(price, currency)),
    })),
  )
  return {
    id: subscription.id,
    status: subscription.status as SubscriptionStatus,
    createdAt: at(subscription.created),
    currency,
    period: periodOf(data),
    items,
    currentPeriodStart: starts.length === 0 ? null : at(Math.max(...starts)),
    currentPeriodEnd: periodEnd,
    endsAt: atOrNull(subscription.cancel_at) ?? asked,
    endedAt: atOrNull(subscription.ended_at),
    pendingUpdate: pendingOf(subscription),
  }
}

/** Reads a page for buying. */
export function toCheckout(session: Stripe.Checkout.Session): ProviderCheckout {
  return {
    id: session.id,
    status: (session.status ?? 'expired') as ProviderCheckout['status'],
    url: session.status === 'open' ? session.url : null,
    expiresAt: at(session.expires_at),
  }
}

const kinds: Readonly<Record<string, ProviderInvoice['kind']>> = {
  subscription_create: 'first',
  subscription_cycle: 'renewal',
  subscription_update: 'change',
}

/** Which price is of which item: the lines of invoices name prices by their id only. */
export type ItemsOfPrices = ReadonlyMap<string, PlanItem | null>

function toLine(line: Stripe.InvoiceLineItem, currency: string, items: ItemsOfPrices): InvoiceLine {
  const price = line.pricing?.price_details?.price
  const details = line.parent?.subscription_item_details ?? line.parent?.invoice_item_details
  return {
    item: (typeof price === 'string' ? items.get(price) : itemOf(price)) ?? null,
    quantity: line.quantity ?? 1,
    amount: fromProvider(line.amount, currency),
    prorated: details?.proration ?? false,
    description: line.description ?? '',
  }
}

/** What else is known of the payment of an invoice. */
export interface PaymentFacts {
  readonly refunded: number
  readonly disputed: boolean
  readonly failure: ProviderInvoice['failure']
  readonly declineCode: string | null
}

/** Returns the id of the payment of an invoice; null without one. */
export function intentOf(invoice: Stripe.Invoice): string | null {
  const payments = invoice.payments?.data ?? []
  const found = payments.find(({ status }) => status === 'paid') ?? payments.find((one) => one.is_default)
  return idOf(found?.payment.payment_intent)
}

/** Reads an invoice that is no draft. */
export function toInvoice(invoice: Stripe.Invoice, facts: PaymentFacts, items: ItemsOfPrices): ProviderInvoice {
  const currency = invoice.currency.toUpperCase()
  const money = (amount: number) => fromProvider(amount, currency)
  const lines = invoice.lines.data
  const starts = lines.map(({ period }) => period.start)
  const ends = lines.map(({ period }) => period.end)
  const open = invoice.status === 'open'
  const tax = (invoice.total_taxes ?? []).reduce((sum, one) => sum + one.amount, 0)
  return {
    id: invoice.id ?? '',
    number: invoice.number,
    status: invoice.status as ProviderInvoice['status'],
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    kind: kinds[invoice.billing_reason ?? ''] ?? 'other',
    currency,
    subtotal: money(invoice.subtotal),
    tax: money(tax),
    total: money(invoice.total),
    paid: money(invoice.amount_paid),
    remaining: money(invoice.amount_remaining),
    refunded: money(facts.refunded),
    disputed: facts.disputed,
    createdAt: at(invoice.created),
    paidAt: atOrNull(invoice.status_transitions.paid_at),
    periodStart: at(starts.length === 0 ? invoice.period_start : Math.min(...starts)),
    periodEnd: at(ends.length === 0 ? invoice.period_end : Math.max(...ends)),
    payUrl: open ? (invoice.hosted_invoice_url ?? null) : null,
    nextAttemptAt: open ? atOrNull(invoice.next_payment_attempt) : null,
    attempts: invoice.attempt_count,
    failure: open ? facts.failure : null,
    declineCode: open ? facts.declineCode : null,
    lines: lines.map((line) => toLine(line, currency, items)),
  }
}
