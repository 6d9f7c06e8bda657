import type { Stripe } from 'stripe'
import { newItem, planOf } from '#billing/payments/simulator/objects/subscription.ts'
import { byId, emit, newId, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { periodEnd } from './calendar.ts'
import { draftInvoice } from './invoices.ts'
import { periodLines, restLine } from './lines.ts'
import { applyItems, cancelNow, dropPending, finalizeAndCollect, intervalOf } from './subscriptions.ts'

/** One item of a request that changes a subscription, as forms carry it. */
export interface ItemParams {
  readonly id?: string
  readonly price?: string
  readonly quantity?: string
  readonly deleted?: string
}

/** A request that changes a subscription. */
export interface UpdateParams {
  readonly items?: readonly ItemParams[]
  readonly proration_behavior?: string
  readonly proration_date?: string
  readonly payment_behavior?: string
  readonly cancel_at_period_end?: string
  readonly cancel_at?: string
  readonly metadata?: Record<string, string>
  readonly default_payment_method?: string
}

const takenWithPending = new Set(['items', 'proration_behavior', 'proration_date', 'payment_behavior', 'expand'])
const pendingSeconds = 23 * 3600

/** Changes a subscription as the request says. */
export function updateSubscription(play: Play, subscription: Stripe.Subscription, params: UpdateParams): void {
  if (subscription.status === 'canceled') {
    throw new Refusal('A canceled subscription can only update its cancellation_details.')
  }
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined) {
    throw new Refusal('You can only set one of: cancel_at, cancel_at_period_end.')
  }
  const ifPaid = params.payment_behavior === 'pending_if_incomplete'
  if (ifPaid) requirePendingOnly(params)
  setEnd(subscription, params)
  if (params.metadata) subscription.metadata = { ...subscription.metadata, ...params.metadata }
  if (params.default_payment_method) {
    byId(play.world.cards, params.default_payment_method, 'PaymentMethod')
    subscription.default_payment_method = params.default_payment_method
  }
  if (params.items) changeItems(play, subscription, params, ifPaid)
  else emit(play, 'customer.subscription.updated', subscription)
}

function requirePendingOnly(params: UpdateParams): void {
  const other = Object.keys(params).find((name) => !takenWithPending.has(name))
  const deleted = params.items?.some((item) => item.deleted === 'true') === true
  if (other === undefined && !deleted) return
  throw new Refusal(
    `When \`payment_behavior\` is \`pending_if_incomplete\`, you cannot pass \`${other ?? 'items[deleted]'}\`.`,
  )
}

function setEnd(subscription: Stripe.Subscription, params: UpdateParams): void {
  const { cancel_at_period_end: atPeriodEnd, cancel_at: at } = params
  if (atPeriodEnd === 'true') {
    subscription.cancel_at_period_end = true
    subscription.cancel_at = Math.min(...subscription.items.data.map((item) => item.current_period_end))
  } else if (atPeriodEnd === 'false') {
    subscription.cancel_at_period_end = false
    subscription.cancel_at = null
  }
  if (at !== undefined) {
    subscription.cancel_at_period_end = false
    subscription.cancel_at = at === '' ? null : Number(at)
  }
}

function changeItems(play: Play, subscription: Stripe.Subscription, params: UpdateParams, ifPaid: boolean): void {
  const { items, anchor, lines } = plannedChange(play, subscription, params)
  dropPending(play, subscription, null)
  if (lines.length === 0) {
    applyItems(subscription, items, anchor)
    emit(play, 'customer.subscription.updated', subscription)
    return
  }
  const invoice = draftInvoice(play, subscription, 'subscription_update', lines)
  subscription.latest_invoice = invoice.id ?? null
  if (!ifPaid) {
    applyItems(subscription, items, anchor)
    emit(play, 'customer.subscription.updated', subscription)
    finalizeAndCollect(play, invoice)
    return
  }
  play.world.pending.push({ subscription: subscription.id, invoice: invoice.id ?? '', items, anchor })
  if (finalizeAndCollect(play, invoice) === null) return
  subscription.pending_update = {
    billing_cycle_anchor: anchor,
    expires_at: play.now + pendingSeconds,
    subscription_items: items,
    discount_source: null,
    discounts: null,
    metadata: null,
    trial_end: null,
    trial_from_plan: null,
  } as unknown as Stripe.Subscription.PendingUpdate
  emit(play, 'customer.subscription.updated', subscription)
}

/** What a change of items comes to. */
interface PlannedChange {
  readonly items: Stripe.SubscriptionItem[]
  /** Now when the change begins a new period. */
  readonly anchor: number | null
  readonly lines: ReturnType<typeof periodLines>
}

/** Computes the items after a change, and the lines that it is charged with. Changes nothing. */
export function plannedChange(play: Play, subscription: Stripe.Subscription, params: UpdateParams): PlannedChange {
  const present = subscription.items.data
  const wanted = changedItems(play, subscription, params.items ?? [])
  if (wanted.length === 0) throw new Refusal('A subscription must have at least one active plan.')
  const intervals = new Set(wanted.map((item) => item.price.recurring?.interval))
  if (intervals.size > 1) throw new Refusal('Currency and interval fields must match across all plans.')
  const at = params.proration_date === undefined ? play.now : Number(params.proration_date)
  const moves = intervalOf(present) !== intervalOf(wanted)
  const start = play.now
  const end = moves ? periodEnd(start, intervalOf(wanted), start) : 0
  const items = moves
    ? wanted.map((item) => ({ ...item, current_period_start: start, current_period_end: end }))
    : wanted
  if (params.proration_behavior === 'none') return { items, anchor: moves ? start : null, lines: [] }
  const isChanged = (item: Stripe.SubscriptionItem) => moves || !present.some((one) => isSame(one, item))
  const left = present.filter((item) => moves || !wanted.some((one) => isSame(one, item)))
  const back = left.map((item) => restLine(play, subscription, item, { at, sign: -1 }))
  const come = wanted.filter(isChanged)
  const lines = moves
    ? [...back, ...periodLines(play, subscription, items, { start, end })]
    : [...back, ...come.map((item) => restLine(play, subscription, item, { at, sign: 1 }))]
  return { items, anchor: moves ? start : null, lines }
}

function isSame(one: Stripe.SubscriptionItem, other: Stripe.SubscriptionItem): boolean {
  return one.id === other.id && one.price.id === other.price.id && one.quantity === other.quantity
}

function changedItems(
  play: Play,
  subscription: Stripe.Subscription,
  changes: readonly ItemParams[],
): Stripe.SubscriptionItem[] {
  const items = subscription.items.data.map((item) => ({ ...item }))
  const [first] = items
  for (const change of changes) {
    const quantity = change.quantity === undefined ? undefined : Number(change.quantity)
    if (quantity !== undefined && !(Number.isInteger(quantity) && quantity >= 0)) throw new Refusal('Invalid integer')
    if (change.id === undefined) {
      const price = byId(play.prices, change.price ?? '', 'price')
      if (items.some((item) => item.price.id === price.id)) {
        throw new Refusal('Cannot add multiple subscription items with the same plan')
      }
      const { current_period_start: start = play.now, current_period_end: end = play.now } = first ?? {}
      const made = { subscription: subscription.id, price, quantity: quantity ?? 1, start, end }
      items.push(newItem({ id: newId(play, 'si'), now: play.now }, made))
      continue
    }
    const item = byId(items, change.id, 'subscription_item')
    if (change.deleted === 'true') {
      items.splice(items.indexOf(item), 1)
      continue
    }
    if (change.price !== undefined) {
      item.price = byId(play.prices, change.price, 'price')
      item.plan = planOf(item.price)
    }
    if (quantity !== undefined) item.quantity = quantity
  }
  return items
}

/** Ends a subscription whose end was asked for. */
export function endIfDue(play: Play, subscription: Stripe.Subscription): boolean {
  if (subscription.cancel_at === null || subscription.cancel_at > play.now) return false
  cancelNow(play, subscription)
  return true
}
