import type { Stripe } from 'stripe'
import { fromProvider } from '#billing/payments/minor-units.ts'
import type {
  ChangeResult,
  ItemChange,
  PlanChange,
  PreviewQuery,
  Provider,
  ProviderPreview,
} from '#billing/payments/provider.ts'
import type { PlanPeriod } from '#billing/payments/provider-records.ts'
import type { Prices } from './prices.ts'
import { failureOfIntent } from './read.ts'
import { at, idOf, intentOf } from './records.ts'
import { isMissing, type Sdk } from './sdk.ts'

/** Returns the items as the provider takes them. */
async function itemsOf(prices: Prices, changes: readonly ItemChange[], period: PlanPeriod) {
  const named = changes.flatMap((change) => ('item' in change ? [change.item] : []))
  const ids = await prices.idsOf(named, period)
  return changes.map((change) => {
    if (!('item' in change)) return { id: change.id, deleted: true }
    const { item, quantity } = change
    return { ...('id' in change && { id: change.id }), price: ids.get(item) ?? '', quantity }
  })
}

async function resultOf(stripe: Stripe, subscription: Stripe.Subscription): Promise<ChangeResult> {
  const invoice = subscription.latest_invoice as Stripe.Invoice | null
  const isOwn = invoice?.billing_reason === 'subscription_update'
  const pending = subscription.pending_update
  const done = { done: true, invoiceId: isOwn ? (invoice.id ?? null) : null }
  if (!pending || !invoice) return { ...done, failure: null, declineCode: null, payUrl: null, expiresAt: null }
  const intent = intentOf(invoice)
  const failed =
    intent === null
      ? ({ failure: 'card_declined', declineCode: 'generic_decline' } as const)
      : failureOfIntent(await stripe.paymentIntents.retrieve(intent))
  return {
    ...failed,
    done: false,
    invoiceId: invoice.id ?? null,
    payUrl: invoice.hosted_invoice_url ?? null,
    expiresAt: at(pending.expires_at),
  }
}

/** Changes the items of a subscription. */
export async function change({ stripe }: Sdk, prices: Prices, wanted: PlanChange): Promise<ChangeResult> {
  const subscription = await stripe.subscriptions.update(
    wanted.subscriptionId,
    {
      items: await itemsOf(prices, wanted.changes, wanted.period),
      proration_behavior: 'always_invoice',
      payment_behavior: wanted.ifPaid ? 'pending_if_incomplete' : 'allow_incomplete',
      expand: ['latest_invoice.payments'],
    },
    { idempotencyKey: wanted.key },
  )
  return resultOf(stripe, subscription)
}

/** Returns what a change would cost. */
export async function preview({ stripe, options }: Sdk, prices: Prices, query: PreviewQuery): Promise<ProviderPreview> {
  const { currency } = query
  const money = (amount: number) => fromProvider(amount, currency)
  const items = await itemsOf(prices, query.changes, query.period)
  const who =
    query.customerId === null
      ? { customer_details: query.country === null ? {} : { address: { country: query.country } } }
      : { customer: query.customerId }
  const computed = (behavior: 'always_invoice' | 'none') =>
    stripe.invoices.createPreview({
      ...who,
      ...(query.subscriptionId === null
        ? { currency: currency.toLowerCase(), subscription_details: { items } }
        : { subscription: query.subscriptionId, subscription_details: { items, proration_behavior: behavior } }),
      ...(options.tax && { automatic_tax: { enabled: true } }),
    })
  const now = await computed('always_invoice')
  const next = query.subscriptionId === null ? now : await computed('none')
  const ends = now.lines.data.map(({ period }) => period.end)
  const starts = next.lines.data.map(({ period }) => period.start)
  return {
    currency,
    dueNow: money(now.amount_due),
    tax: money((now.total_taxes ?? []).reduce((sum, one) => sum + one.amount, 0)),
    credit: money(Math.max(0, -now.total)),
    nextTotal: money(next.total),
    nextAt: at(ends.length === 0 ? Math.max(0, ...starts) : Math.max(...ends)),
    lines: now.lines.data.map((line) => ({ description: line.description ?? '', amount: money(line.amount) })),
  }
}

/** Sets a subscription to stop, ends it, or lets it renew again. */
export async function stop({ stripe }: Sdk, ...[id, when, { key }]: Parameters<Provider['stop']>): Promise<void> {
  const options = { idempotencyKey: key }
  if (when === 'period_end') {
    await stripe.subscriptions.update(id, { cancel_at_period_end: true }, options)
    return
  }
  if (when === 'never') {
    const { cancel_at_period_end: atPeriodEnd, cancel_at: at } = await stripe.subscriptions.retrieve(id)
    // A request with both is refused.
    if (atPeriodEnd) await stripe.subscriptions.update(id, { cancel_at_period_end: false }, options)
    else if (at !== null) await stripe.subscriptions.update(id, { cancel_at: '' }, options)
    return
  }
  await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

/** Voids an open invoice, pays a paid one back. */
export async function undoInvoice(
  { stripe }: Sdk,
  ...[id, { key }]: Parameters<Provider['undoInvoice']>
): Promise<void> {
  const invoice = await stripe.invoices.retrieve(id, { expand: ['payments'] })
  const options = (does: string) => ({ idempotencyKey: `${key}:${does}` })
  if (invoice.status === 'open' || invoice.status === 'uncollectible') {
    await stripe.invoices.voidInvoice(id, {}, options('void'))
    return
  }
  const intent = intentOf(invoice)
  if (invoice.status !== 'paid' || intent === null) return
  await stripe.refunds.create({ payment_intent: intent }, options('refund')).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'charge_already_refunded') throw error
  })
}

/** Returns the pages of a paid invoice. */
export async function receipt({ stripe }: Sdk, id: string): Promise<Awaited<ReturnType<Provider['receipt']>>> {
  const invoice = await stripe.invoices.retrieve(id)
  const { status, number, hosted_invoice_url: url, invoice_pdf: pdfUrl } = invoice
  return status === 'paid' && number && url && pdfUrl ? { number, url, pdfUrl } : null
}

/** Returns the customer of a charge, or of an organization. */
export async function findCustomer(
  { stripe }: Sdk,
  by: Parameters<Provider['findCustomer']>[0],
): Promise<string | null> {
  if ('chargeId' in by) {
    const charge = await stripe.charges.retrieve(by.chargeId).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    return idOf(charge?.customer)
  }
  const { data } = await stripe.customers.search({ query: `metadata['organizationId']:'${by.organizationId}'` })
  return data[0]?.id ?? null
}
