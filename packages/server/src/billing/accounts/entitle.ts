import { type BillingPeriod, type BillingStatus, type Product, products } from '@msgctl/contract'
import {
  isOurs,
  isOver,
  type ProviderCard,
  type ProviderInvoice,
  type ProviderState,
  type ProviderSubscription,
} from '#billing/payments/provider-records.ts'
import { planOf, type StoredItem, type StoredOpenInvoice, type StoredPending } from './stored.ts'

/** What follows from what the provider says. */
export interface Entitled {
  readonly status: BillingStatus
  readonly subscriptionId: string | null
  /** Null until the provider fixed one. */
  readonly currency: string | null
  readonly period: BillingPeriod | null
  readonly items: readonly StoredItem[]
  readonly amount: number | null
  readonly credit: number
  readonly currentPeriodStart: Date | null
  readonly currentPeriodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly endsAt: Date | null
  readonly pastDueSince: Date | null
  readonly graceEndsAt: Date | null
  readonly pending: StoredPending | null
  readonly openInvoice: StoredOpenInvoice | null
  readonly card: ProviderCard | null
  /** What works: nothing beyond these, and not beyond `until` where that is known. */
  readonly paid: { readonly products: readonly Product[]; readonly extraNumbers: number; readonly until: Date | null }
  /** Subscriptions that must not be: there is one at most, the oldest. */
  readonly surplus: readonly ProviderSubscription[]
}

const dayMs = 86_400_000

/**
 * Derives what an organization holds from what the provider says, and from nothing else: it can be repeated at any
 * time, after any loss. Days of grace count from the invoice that is not paid.
 */
export function entitle(state: ProviderState | null, graceDays: number, now: Date): Entitled {
  const { subscription, surplus } = choose(state?.subscriptions ?? [])
  const customer = state?.customer
  const unpaid = subscription ? findUnpaid(subscription, state?.invoices ?? []) : undefined
  const pastDueSince = unpaid && isLate(subscription) ? unpaid.createdAt : null
  const graceEndsAt = pastDueSince && new Date(pastDueSince.getTime() + graceDays * dayMs)
  const status = statusOf(subscription, graceEndsAt, now)
  const isOver = status === 'none' || status === 'ended'
  const items = isOver ? [] : (subscription?.items ?? [])
  const pending = isOver ? null : pendingOf(subscription, state?.invoices ?? [])
  return {
    status,
    subscriptionId: status === 'none' ? null : (subscription?.id ?? null),
    currency: subscription?.currency ?? customer?.currency ?? null,
    period: isOver ? null : (subscription?.period ?? null),
    items: items.map(({ id, item, quantity, amount }) => ({ id, item, quantity, amount })),
    amount: isOver ? null : items.reduce((sum, { amount }) => sum + amount, 0),
    credit: customer?.credit ?? 0,
    currentPeriodStart: isOver ? null : (subscription?.currentPeriodStart ?? null),
    currentPeriodEnd: isOver ? null : (subscription?.currentPeriodEnd ?? null),
    cancelAtPeriodEnd: !isOver && subscription?.endsAt != null,
    endsAt: status === 'none' ? null : (subscription?.endedAt ?? subscription?.endsAt ?? null),
    pastDueSince,
    graceEndsAt,
    pending,
    openInvoice: unpaid && !isOver ? toOpenInvoice(unpaid) : null,
    card: customer?.card ?? null,
    paid: paidOf(status, items, earlier(graceEndsAt, subscription?.endsAt ?? null)),
    surplus,
  }
}

/**
 * Chooses the subscription that counts: of those that live one that was ever paid, then the oldest; else the last. One
 * without any item of ours is the operator's own business with the customer.
 */
function choose(all: readonly ProviderSubscription[]) {
  const byAge = all
    .filter(isOurs)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
  const live = byAge.filter((one) => !isOver(one))
  const subscription = live.find(({ status }) => status !== 'incomplete') ?? live[0] ?? byAge.at(-1)
  return { subscription, surplus: live.filter((one) => one !== subscription) }
}

/**
 * Returns the invoice of a subscription with which its debt began: of those that wait for a payment the oldest since
 * one was paid. A change that waits is no debt, and neither is what the operator gave up as uncollectible.
 */
function findUnpaid({ id }: ProviderSubscription, invoices: readonly ProviderInvoice[]): ProviderInvoice | undefined {
  const own = invoices
    .filter(({ subscriptionId, kind }) => subscriptionId === id && kind !== 'change')
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const lastPaid = own.findLastIndex(({ status }) => status === 'paid')
  const isOpen = ({ status, remaining }: ProviderInvoice) => status === 'open' && remaining > 0
  return own.slice(lastPaid + 1).find(isOpen) ?? own.findLast(isOpen)
}

function isLate(subscription: ProviderSubscription | undefined): boolean {
  return subscription?.status === 'past_due' || subscription?.status === 'unpaid'
}

function statusOf(subscription: ProviderSubscription | undefined, graceEndsAt: Date | null, now: Date): BillingStatus {
  switch (subscription?.status) {
    case undefined:
    case 'incomplete_expired':
      return 'none'
    case 'incomplete':
      return 'incomplete'
    case 'active':
    case 'trialing':
      return 'active'
    case 'past_due':
      return graceEndsAt !== null && graceEndsAt <= now ? 'unpaid' : 'past_due'
    case 'unpaid':
    case 'paused':
      return 'unpaid'
    case 'canceled':
      return 'ended'
  }
}

function paidOf(status: BillingStatus, items: readonly StoredItem[], until: Date | null): Entitled['paid'] {
  if (status !== 'active' && status !== 'past_due') return { products: [], extraNumbers: 0, until: null }
  const plan = planOf(items)
  return {
    products: products.filter((product) => plan.products.includes(product)),
    extraNumbers: plan.extraNumbers,
    until,
  }
}

function pendingOf(
  subscription: ProviderSubscription | undefined,
  invoices: readonly ProviderInvoice[],
): StoredPending | null {
  const update = subscription?.pendingUpdate
  if (!subscription || !update) return null
  const invoice = invoices.find(
    ({ subscriptionId, kind, status }) => subscriptionId === subscription.id && kind === 'change' && status === 'open',
  )
  return {
    ...planOf(update.items),
    period: update.period ?? subscription.period ?? 'month',
    payUrl: invoice?.payUrl ?? null,
    expiresAt: update.expiresAt.toISOString(),
  }
}

function toOpenInvoice(invoice: ProviderInvoice): StoredOpenInvoice {
  const { id, number, total, payUrl, nextAttemptAt, failure } = invoice
  return { providerId: id, number, total, payUrl, nextAttemptAt: nextAttemptAt?.toISOString() ?? null, reason: failure }
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
