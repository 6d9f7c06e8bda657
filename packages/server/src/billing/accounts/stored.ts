import type { BillingPeriod, BillingStatus, Product } from '@msgctl/contract'
import type { PaymentFailure, PlanItem, ProviderCard } from '#billing/payments/provider-records.ts'
import type { Row } from '#platform/db/tables.ts'

/** An item of the subscription, as it is stored. */
export interface StoredItem {
  readonly id: string
  /** Null for a price that is none of ours. */
  readonly item: PlanItem | null
  readonly quantity: number
  readonly amount: number
}

/** What a plan consists of. */
export interface PlanOf {
  readonly products: readonly Product[]
  readonly extraNumbers: number
}

/** A change that waits for a payment, as it is stored. */
export interface StoredPending extends PlanOf {
  readonly period: BillingPeriod
  readonly payUrl: string | null
  readonly expiresAt: string
}

/** The invoice of a subscription that waits for a payment, as it is stored. */
export interface StoredOpenInvoice {
  readonly providerId: string
  readonly number: string | null
  readonly total: number
  readonly payUrl: string | null
  readonly nextAttemptAt: string | null
  readonly reason: PaymentFailure | null
}

/** An open page on which a plan can be paid, as it is stored. */
export interface StoredCheckout extends PlanOf {
  readonly id: string
  readonly providerId: string
  readonly url: string
  readonly expiresAt: string
  readonly period: BillingPeriod
  readonly country: string | null
}

/** What the provider says about an organization, as it was read last. */
export interface Account
  extends Omit<
    Row<'billing_accounts'>,
    'status' | 'period' | 'items' | 'pending' | 'openInvoice' | 'card' | 'checkout' | 'createdAt'
  > {
  readonly status: BillingStatus
  readonly period: BillingPeriod | null
  readonly items: readonly StoredItem[]
  readonly pending: StoredPending | null
  readonly openInvoice: StoredOpenInvoice | null
  readonly card: ProviderCard | null
  readonly checkout: StoredCheckout | null
  /** Whether it is older than the provider remembers idempotency keys. */
  readonly isOld: boolean
}

/** The statuses in which there is a subscription that renews, or would. */
export const liveStatuses: readonly BillingStatus[] = ['active', 'past_due', 'unpaid']

/** Returns the products and the extra numbers of stored items. */
export function planOf(items: readonly Pick<StoredItem, 'item' | 'quantity'>[]): PlanOf {
  const products = items.flatMap(({ item }) => (item === null || item === 'extra_numbers' ? [] : [item]))
  const extraNumbers = items.filter(({ item }) => item === 'extra_numbers').reduce((sum, one) => sum + one.quantity, 0)
  return { products: [...new Set(products)], extraNumbers }
}
