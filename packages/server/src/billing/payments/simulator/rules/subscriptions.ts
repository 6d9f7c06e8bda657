import type { Stripe } from 'stripe'
import { newItem, newSubscription, planOf } from '#billing/payments/simulator/objects/subscription.ts'
import { emit, newId, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { type Interval, periodEnd } from './calendar.ts'
import type { Presence } from './cards.ts'
import { draftInvoice, finalizeInvoice, subscriptionOf, voidInvoice } from './invoices.ts'
import { periodLines } from './lines.ts'
import { attempt, cardOf, nextAttempt } from './payments.ts'

const alone: Presence = { present: false, authenticates: false }

/** Returns the interval of a subscription. */
export function intervalOf(items: readonly Stripe.SubscriptionItem[]): Interval {
  return items[0]?.price.recurring?.interval === 'year' ? 'year' : 'month'
}

/** Makes an active subscription and the draft of its first invoice. */
export function createSubscription(
  play: Play,
  made: {
    lines: readonly { price: Stripe.Price; quantity: number }[]
    currency: string
    card: string
    tax: boolean
    metadata: Record<string, string>
  },
): { subscription: Stripe.Subscription; invoice: Stripe.Invoice } {
  const { now, world } = play
  const { currency, card, tax, metadata } = made
  const id = newId(play, 'sub')
  const subscription = newSubscription({ id, now }, { customer: world.customer.id, currency, card, tax, metadata })
  const interval = made.lines[0]?.price.recurring?.interval === 'year' ? 'year' : 'month'
  const end = periodEnd(now, interval, now)
  subscription.items.data = made.lines.map((line) =>
    newItem({ id: newId(play, 'si'), now }, { ...line, subscription: id, start: now, end }),
  )
  const lines = periodLines(play, subscription, subscription.items.data, { start: now, end })
  const invoice = draftInvoice(play, subscription, 'subscription_create', lines)
  subscription.latest_invoice = invoice.id ?? null
  world.subscriptions.push(subscription)
  return { subscription, invoice }
}

/** Begins the next period: its items move on, and its invoice is a draft for an hour. */
export function renew(play: Play, subscription: Stripe.Subscription): void {
  const { data: items } = subscription.items
  const start = Math.min(...items.map((item) => item.current_period_end))
  const end = periodEnd(subscription.billing_cycle_anchor, intervalOf(items), start)
  const lines = periodLines(play, subscription, items, { start, end })
  const invoice = draftInvoice(play, subscription, 'subscription_cycle', lines)
  for (const item of items) {
    item.current_period_start = start
    item.current_period_end = end
  }
  invoice.period_end = start
  subscription.latest_invoice = invoice.id ?? null
  // While it is unpaid, the provider makes drafts that it does not charge.
  if (subscription.status === 'unpaid') invoice.auto_advance = false
  else invoice.automatically_finalizes_at = play.now + 3600
  emit(play, 'customer.subscription.updated', subscription)
}

/** Tries to take the money of an invoice without the person, and applies what follows. */
export function collect(play: Play, invoice: Stripe.Invoice): string | null {
  const subscription = subscriptionOf(play, invoice)
  const failure = invoice.status === 'paid' ? null : attempt(play, invoice, cardOf(play, subscription), alone)
  if (failure === null) {
    settle(play, invoice)
    return null
  }
  if (play.world.pending.some((pending) => pending.invoice === invoice.id)) return failure
  invoice.next_payment_attempt = nextAttempt(invoice)
  if (!subscription || subscription.status === 'canceled') return failure
  const before = subscription.status
  subscription.status = invoice.next_payment_attempt === null ? 'unpaid' : before === 'unpaid' ? before : 'past_due'
  if (subscription.status !== before) emit(play, 'customer.subscription.updated', subscription)
  return failure
}

/** Applies that an invoice was paid: a change that waited for it comes true, a debt is over. */
export function settle(play: Play, invoice: Stripe.Invoice): void {
  const { world } = play
  const subscription = subscriptionOf(play, invoice)
  if (!subscription || subscription.status === 'canceled') return
  const pending = world.pending.find((one) => one.invoice === invoice.id)
  if (pending) {
    world.pending = world.pending.filter((one) => one !== pending)
    subscription.pending_update = null
    applyItems(subscription, pending.items, pending.anchor)
    emit(play, 'customer.subscription.pending_update_applied', subscription)
    emit(play, 'customer.subscription.updated', subscription)
  }
  const owes = world.invoices.some((one) => one.status === 'open' && subscriptionOf(play, one) === subscription)
  if ((subscription.status === 'past_due' || subscription.status === 'unpaid') && !owes) {
    subscription.status = 'active'
    emit(play, 'customer.subscription.updated', subscription)
  }
}

/** Puts changed items into a subscription; with an anchor its period begins there. */
export function applyItems(
  subscription: Stripe.Subscription,
  items: readonly Stripe.SubscriptionItem[],
  anchor: number | null,
): void {
  subscription.items.data = items.map((item) => ({ ...item, plan: planOf(item.price) }))
  if (anchor !== null) subscription.billing_cycle_anchor = anchor
}

/** Takes a pending change back, and voids its invoice. */
export function dropPending(play: Play, subscription: Stripe.Subscription, event: string | null): void {
  const { world } = play
  const pending = world.pending.find((one) => one.subscription === subscription.id)
  if (!pending) return
  world.pending = world.pending.filter((one) => one !== pending)
  subscription.pending_update = null
  const invoice = world.invoices.find(({ id }) => id === pending.invoice)
  if (invoice) voidInvoice(play, invoice)
  if (event !== null) emit(play, event, subscription)
}

/** Ends a subscription now. Its open invoices stay open, and are not tried again. */
export function cancelNow(play: Play, subscription: Stripe.Subscription): void {
  if (subscription.status === 'canceled') {
    throw new Refusal(`No such subscription: '${subscription.id}'`, { status: 404, code: 'resource_missing' })
  }
  const { world, now } = play
  dropPending(play, subscription, null)
  subscription.status = 'canceled'
  subscription.canceled_at ??= now
  subscription.ended_at = now
  for (const invoice of world.invoices) {
    if (subscriptionOf(play, invoice) !== subscription) continue
    invoice.next_payment_attempt = null
    if (invoice.status === 'draft') invoice.automatically_finalizes_at = null
  }
  emit(play, 'customer.subscription.deleted', subscription)
}

/** Makes a draft final and takes its money without the person. */
export function finalizeAndCollect(play: Play, invoice: Stripe.Invoice): string | null {
  finalizeInvoice(play, invoice)
  return collect(play, invoice)
}
