import { products } from '@msgctl/contract'
import type { Stripe } from 'stripe'
import type { PlanItem, PlanPeriod } from '#billing/payments/provider-records.ts'

/** Returns the key by which the present price of an item is found. It moves on when the amount changes. */
export function lookupKey(item: PlanItem, period: PlanPeriod): string {
  return `msgctl_${item}_${period}`
}

/** Returns what a price is for: its metadata says it, also for a price of before. */
export function itemOf(price: Pick<Stripe.Price, 'metadata'> | null | undefined): PlanItem | null {
  const named = price?.metadata?.msgctl_item
  return [...products, 'extra_numbers' as const].find((item) => item === named) ?? null
}
