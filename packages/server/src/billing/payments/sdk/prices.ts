import type { Stripe } from 'stripe'
import { fromProvider } from '#billing/payments/minor-units.ts'
import { ProviderError } from '#billing/payments/provider.ts'
import type { PlanItem, PlanPeriod } from '#billing/payments/provider-records.ts'
import { lookupKey } from './lookup.ts'
import { ensurePrices } from './price-setup.ts'
import type { Sdk } from './sdk.ts'

/** What the provider knows of prices. */
export interface Prices {
  /** Returns the ids of the present prices. Throws `no_price` with the items that have none. */
  idsOf(items: readonly PlanItem[], period: PlanPeriod): Promise<ReadonlyMap<PlanItem, string>>
  /** Returns what one piece costs in a currency, in minor units of ISO 4217. */
  amountOf(price: Stripe.Price, currency: string): Promise<number>
}

/** Opens the prices. The simulator gets its price list with the first look. */
export function openPrices({ stripe, options }: Pick<Sdk, 'stripe' | 'options'>): Prices {
  const amounts = new Map<string, number>()
  let seeded: Promise<unknown> | undefined
  async function seed(): Promise<void> {
    if (!options.seed) return
    seeded ??= ensurePrices(stripe, options.seed, { dryRun: false }).catch((error: unknown) => {
      seeded = undefined
      throw error
    })
    await seeded
  }
  return {
    async idsOf(items, period) {
      await seed()
      const wanted = [...new Set(items)]
      if (wanted.length === 0) return new Map()
      const keys = wanted.map((item) => lookupKey(item, period))
      const { data } = await stripe.prices.list({ lookup_keys: keys, active: true, limit: 100 })
      const found = new Map(
        data.flatMap((price) => {
          const item = wanted.find((one) => lookupKey(one, period) === price.lookup_key)
          return item === undefined ? [] : [[item, price.id] as const]
        }),
      )
      const missing = wanted.filter((item) => !found.has(item))
      if (missing.length > 0) throw new ProviderError('change', { kind: 'no_price', items: missing })
      return found
    },
    async amountOf(price, currency) {
      const lower = currency.toLowerCase()
      if (price.currency === lower) return fromProvider(price.unit_amount ?? 0, currency)
      const known = amounts.get(`${price.id} ${currency}`)
      if (known !== undefined) return known
      const full = await stripe.prices.retrieve(price.id, { expand: ['currency_options'] })
      const amount = fromProvider(full.currency_options?.[lower]?.unit_amount ?? 0, currency)
      amounts.set(`${price.id} ${currency}`, amount)
      return amount
    },
  }
}
