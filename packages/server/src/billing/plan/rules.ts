import { products as allProducts, type BillingPeriod, type Product } from '@msgctl/contract'
import { changeRefused, periodUnavailable } from '#billing/errors.ts'
import type { PlanItem, PlanLine } from '#billing/payments/provider-records.ts'
import { type PriceList, priceOf, productsForSale } from '#billing/prices/price-list.ts'

/** What a caller wants to pay for. */
export interface Wanted {
  readonly products: readonly Product[]
  readonly extraNumbers: number
  readonly period: BillingPeriod
}

const capped: readonly Product[] = ['developer', 'connect']

/** Returns whether one of these products limits the numbers of an organization: then more can be bought. */
export function hasCapped(held: readonly Product[]): boolean {
  return held.some((product) => capped.includes(product))
}

/** Returns a plan as lines, in the order of the products. */
export function toLines({ products, extraNumbers }: Pick<Wanted, 'products' | 'extraNumbers'>): PlanLine[] {
  const lines: PlanLine[] = allProducts
    .filter((product) => products.includes(product))
    .map((item) => ({ item, quantity: 1 }))
  return extraNumbers > 0 ? [...lines, { item: 'extra_numbers', quantity: extraNumbers }] : lines
}

/** What decides whether a plan can be bought. */
interface Offer {
  readonly prices: PriceList
  readonly currency: string
  /** What the operator granted. */
  readonly granted: readonly Product[]
  /** The items that are paid already: they keep their price while the period stays. */
  readonly kept: readonly PlanItem[]
}

/**
 * Checks whether a plan can be bought. Throws PAYMENT_CHANGE_REFUSED `granted`, `not_for_sale` or `no_capped_product`,
 * or PAYMENT_PERIOD_UNAVAILABLE.
 */
export function requireOffered(wanted: Wanted, { prices, currency, granted, kept }: Offer): void {
  const coming = wanted.products.filter((product) => !kept.includes(product))
  const held = coming.filter((product) => granted.includes(product))
  if (held.length > 0) throw changeRefused('granted', { products: held })
  const forSale = productsForSale(prices, currency)
  const missing = coming.filter((product) => !forSale.includes(product))
  if (missing.length > 0) throw changeRefused('not_for_sale', { products: missing })
  if (wanted.extraNumbers > 0 && !hasCapped([...wanted.products, ...granted])) throw changeRefused('no_capped_product')
  const unpriced = toLines(wanted)
    .map(({ item }) => item)
    .filter((item) => !kept.includes(item) && priceOf(prices, item, wanted.period, currency) === null)
  if (unpriced.length > 0) throw periodUnavailable(unpriced)
}
