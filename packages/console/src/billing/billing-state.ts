import type { BillingGetOutput, BillingInvoicesOutput, BillingPricesOutput } from '@msgctl/client/admin'
import { leftToRight } from '../words/format.ts'
import { t } from '../words/index.ts'
import { locale } from '../words/language.ts'

/** What an organization pays for. */
export type Billing = BillingGetOutput['billing']
/** What is for sale. */
export type Prices = BillingPricesOutput
export type Invoice = BillingInvoicesOutput['invoices'][number]
export type Period = 'month' | 'year'
export type Product = Billing['products'][number]

/** Returns an amount as it is read. */
export function amountOf({ text }: { readonly text: string }): string {
  return leftToRight(text)
}

/** Returns the name of a country by its two letters. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
}

/** Returns why a payment failed, in words. */
export function reasonOf(reason: 'card_declined' | 'authentication_required' | null): string {
  return t.billing.reasons[reason ?? 'unknown']
}

/** Returns whether there is a subscription, whose plan is changed instead of bought. */
export function isSubscribed({ status }: Billing): boolean {
  return status === 'active' || status === 'past_due' || status === 'unpaid'
}

/** What a person wants the plan to be. */
export interface Plan {
  readonly products: readonly Product[]
  readonly extraNumbers: number
  readonly period: Period
}

/** Returns the plan at present. */
export function planOf({ products, extraNumbers, period }: Billing): Plan {
  return { products, extraNumbers, period: period ?? 'month' }
}

/** Returns which parts of two plans differ. */
export function differingParts(a: Plan, b: Plan): readonly (keyof Plan)[] {
  const parts: (keyof Plan)[] = []
  if ([...a.products].sort().join() !== [...b.products].sort().join()) parts.push('products')
  if (a.extraNumbers !== b.extraNumbers) parts.push('extraNumbers')
  if (a.period !== b.period) parts.push('period')
  return parts
}
