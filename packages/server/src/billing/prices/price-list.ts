import { currencyDecimals, isCountry, type Product, products } from '@msgctl/contract'
import * as z from 'zod'
import type { PlanItem, PlanPeriod } from '#billing/payments/provider-records.ts'

/** The largest price: a hundred million in the smallest unit. */
const maxPrice = 10_000_000_000

/**
 * The amounts that the provider can charge: those of three decimals end in 0, and it knows MGA without decimals
 * (docs/build/decisions/0127-billing.md).
 */
function isChargeable(amount: number, currency: string): boolean {
  if (currency === 'MGA') return amount % 100 === 0
  return currencyDecimals(currency) === 3 ? amount % 10 === 0 : true
}

const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency in capitals, like USD')
const country = z.string().refine(isCountry, 'must be a country of ISO 3166-1 in capitals, like DE')
const amounts = z.record(currency, z.int().min(1).max(maxPrice)).superRefine((given, ctx) => {
  for (const [name, amount] of Object.entries(given)) {
    if (!isChargeable(amount, name)) {
      ctx.addIssue({ code: 'custom', path: [name], message: `is no amount that the provider can charge in ${name}` })
    }
  }
})
const prices = z.strictObject({ month: amounts.optional(), year: amounts.optional() })

const schema = z.strictObject({
  currency,
  countries: z.record(country, currency).default({}),
  taxBehavior: z.enum(['exclusive', 'inclusive']).default('exclusive'),
  simulatedTaxPercent: z.record(country, z.number().min(0).max(100)).default({}),
  products: z.partialRecord(z.enum(products), prices),
  extraNumber: prices.default({}),
})

/** What is for sale. Amounts are whole numbers of the smallest unit of their currency (ISO 4217). */
export type PriceList = z.output<typeof schema>

const usd = (month: number) => ({ month: { USD: month }, year: { USD: month * 10 } })

/** The list of a service whose payments are simulated. */
export const builtInPrices: PriceList = {
  currency: 'USD',
  countries: {},
  taxBehavior: 'exclusive',
  simulatedTaxPercent: {},
  products: { notify: usd(1900), assistant: usd(2900), shop: usd(3900), developer: usd(4900), connect: usd(5900) },
  extraNumber: { month: { USD: 1000 }, year: { USD: 12_000 } },
}

/** Parses the text of a price list. Throws an Error that names the place of each fault. */
export function parsePriceList(text: string): PriceList {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the list'}: ${message}`)
  throw new Error(faults.join('; '))
}

/** Returns the currency that an organization of a country pays in. */
export function currencyFor(list: PriceList, countryCode: string | null): string {
  return (countryCode !== null && list.countries[countryCode]) || list.currency
}

/** Returns the price of one of an item for a period; null when it is not offered. */
export function priceOf(list: PriceList, item: PlanItem, period: PlanPeriod, inCurrency: string): number | null {
  const found = item === 'extra_numbers' ? list.extraNumber : list.products[item]
  return found?.[period]?.[inCurrency] ?? null
}

/** Returns the products that can be bought in a currency, for any period. */
export function productsForSale(list: PriceList, inCurrency: string): Product[] {
  return products.filter((product) =>
    (['month', 'year'] as const).some((period) => priceOf(list, product, period, inCurrency) !== null),
  )
}
