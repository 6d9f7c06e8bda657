import { type BillingStatus, billingMoves, mayMove, type Product } from '@msgctl/contract'
import type { Entitled } from '#billing/accounts/entitle.ts'
import { type Account, liveStatuses, planOf } from '#billing/accounts/stored.ts'

/** What has become of an account, for its log and its mails. */
export interface Change {
  /** The action of the activity log, as `billing.verb`. */
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What is compared of an account. */
type Before = Pick<Account, 'status' | 'period' | 'items' | 'endsAt' | 'cancelAtPeriodEnd'>

const isLive = (status: BillingStatus) => liveStatuses.includes(status)

/** Returns whether the table of moves lacks this one. The provider is right all the same. */
export function isUnexpected(from: BillingStatus, to: BillingStatus): boolean {
  return from !== to && !mayMove(billingMoves, from, to)
}

/** Returns what changed between two states of an account, each once, whatever arrived how often. */
export function compareStates(before: Before, after: Entitled): Change[] {
  return [...compareStatus(before, after), ...comparePlans(before, after)]
}

function compareStatus(before: Before, after: Entitled): Change[] {
  const { products, extraNumbers } = planOf(after.items)
  if (before.status === after.status) return []
  switch (after.status) {
    case 'active':
      return isLive(before.status)
        ? []
        : [{ action: 'billing.subscribed', details: { products, extraNumbers, period: after.period } }]
    case 'unpaid':
      return [{ action: 'billing.paused', details: { products: planOf(before.items).products } }]
    case 'ended':
      return [{ action: 'billing.ended', details: { products: planOf(before.items).products } }]
    default:
      return []
  }
}

function comparePlans(before: Before, after: Entitled): Change[] {
  if (!isLive(before.status) || !isLive(after.status)) return []
  const [was, is] = [planOf(before.items), planOf(after.items)]
  const changes: Change[] = []
  if (!sameProducts(was.products, is.products)) {
    changes.push({ action: 'billing.plan_changed', details: { from: was.products, to: is.products } })
  }
  if (was.extraNumbers !== is.extraNumbers) {
    const details = { from: was.extraNumbers, to: is.extraNumbers }
    changes.push({ action: 'billing.extra_numbers_changed', details })
  }
  if (before.period !== after.period) {
    changes.push({ action: 'billing.period_changed', details: { from: before.period, to: after.period } })
  }
  if (!before.cancelAtPeriodEnd && after.cancelAtPeriodEnd) {
    changes.push({ action: 'billing.canceled', details: { endsAt: after.endsAt?.toISOString() ?? null } })
  }
  if (before.cancelAtPeriodEnd && !after.cancelAtPeriodEnd) changes.push({ action: 'billing.resumed', details: {} })
  return changes
}

/** Returns whether two plans have the same products, in any order. */
export function sameProducts(a: readonly Product[], b: readonly Product[]): boolean {
  return a.length === b.length && a.every((product) => b.includes(product))
}

/** Returns the state of an account as a text: what a repair compares. */
export function outline(state: Pick<Before, 'status' | 'period' | 'items' | 'endsAt'>): string {
  const items = state.items.map(({ item, quantity }) => `${item} x ${quantity}`).sort()
  return [state.status, state.period, state.endsAt?.toISOString() ?? 'renews', ...items].join(', ')
}
