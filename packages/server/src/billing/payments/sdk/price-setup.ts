import { products } from '@msgctl/contract'
import type { Stripe } from 'stripe'
import { toProvider } from '#billing/payments/minor-units.ts'
import type { PlanItem, PlanPeriod } from '#billing/payments/provider-records.ts'
import type { PriceList } from '#billing/prices/price-list.ts'
import { lookupKey } from './lookup.ts'

const periods: readonly PlanPeriod[] = ['month', 'year']

const names: Readonly<Record<PlanItem, string>> = {
  notify: 'Notify',
  assistant: 'Assistant',
  shop: 'Shop',
  developer: 'Developer',
  connect: 'Connect',
  extra_numbers: 'Extra number',
}

/** A price that the list wants to exist. */
interface WantedPrice {
  readonly item: PlanItem
  readonly period: PlanPeriod
  /** By currency in small letters, in the provider's units. */
  readonly amounts: ReadonlyMap<string, number>
}

/** One thing that setting up does, or would do. */
export interface SetupStep {
  readonly does: 'keep' | 'create' | 'replace'
  readonly what: string
}

/** Returns the prices that a list wants. */
function wantedPrices(list: PriceList): WantedPrice[] {
  const items: readonly PlanItem[] = [...products, 'extra_numbers']
  return items.flatMap((item) =>
    periods.flatMap((period) => {
      const given = (item === 'extra_numbers' ? list.extraNumber : list.products[item])?.[period] ?? {}
      const amounts = Object.entries(given).map(
        ([currency, amount]) => [currency.toLowerCase(), toProvider(amount, currency)] as const,
      )
      return amounts.length === 0 ? [] : [{ item, period, amounts: new Map(amounts) }]
    }),
  )
}

function isSame(price: Stripe.Price, wanted: WantedPrice, list: PriceList): boolean {
  const present = new Map(Object.entries(price.currency_options ?? {}).map(([name, one]) => [name, one.unit_amount]))
  present.set(price.currency, price.unit_amount)
  const amounts = [...wanted.amounts]
  return (
    price.tax_behavior === list.taxBehavior &&
    present.size === amounts.length &&
    amounts.every(([currency, amount]) => present.get(currency) === amount)
  )
}

async function presentPrices(stripe: Stripe, keys: readonly string[]): Promise<Stripe.Price[]> {
  const found: Stripe.Price[] = []
  // The provider takes ten keys in one call.
  for (let at = 0; at < keys.length; at += 10) {
    const page = await stripe.prices.list({
      lookup_keys: keys.slice(at, at + 10),
      active: true,
      limit: 100,
      expand: ['data.currency_options'],
    })
    found.push(...page.data)
  }
  return found
}

async function createPrice(stripe: Stripe, wanted: WantedPrice, list: PriceList): Promise<void> {
  const own = list.currency.toLowerCase()
  const [first] = wanted.amounts.keys()
  const currency = wanted.amounts.has(own) ? own : (first ?? own)
  const others = [...wanted.amounts].filter(([name]) => name !== currency)
  const options = others.map(
    ([name, amount]) => [name, { unit_amount: amount, tax_behavior: list.taxBehavior }] as const,
  )
  await stripe.prices.create({
    product: `msgctl_${wanted.item}`,
    currency,
    unit_amount: wanted.amounts.get(currency) ?? 0,
    ...(options.length > 0 && { currency_options: Object.fromEntries(options) }),
    recurring: { interval: wanted.period },
    tax_behavior: list.taxBehavior,
    lookup_key: lookupKey(wanted.item, wanted.period),
    transfer_lookup_key: true,
    metadata: { msgctl_item: wanted.item, msgctl_period: wanted.period },
  })
}

/** Makes the products and prices of a list; what is there stays. An amount that changed becomes a new price. */
export async function ensurePrices(
  stripe: Stripe,
  list: PriceList,
  { dryRun }: { dryRun: boolean },
): Promise<SetupStep[]> {
  const wanted = wantedPrices(list)
  const ids = [...new Set(wanted.map(({ item }) => `msgctl_${item}`))]
  const known = new Set((await stripe.products.list({ ids, limit: 100 })).data.map(({ id }) => id))
  const present = await presentPrices(
    stripe,
    wanted.map(({ item, period }) => lookupKey(item, period)),
  )
  const steps: SetupStep[] = []
  for (const item of new Set(wanted.map((price) => price.item))) {
    const id = `msgctl_${item}`
    const does = known.has(id) ? 'keep' : 'create'
    steps.push({ does, what: `product ${id}` })
    if (does === 'create' && !dryRun) {
      await stripe.products.create({ id, name: names[item], metadata: { msgctl_item: item } })
    }
  }
  for (const price of wanted) {
    const key = lookupKey(price.item, price.period)
    const found = present.find((one) => one.lookup_key === key)
    const does = found === undefined ? 'create' : isSame(found, price, list) ? 'keep' : 'replace'
    const amounts = [...price.amounts].map(([currency, amount]) => `${amount} ${currency.toUpperCase()}`)
    steps.push({ does, what: `price ${key}: ${amounts.join(', ')}` })
    if (does !== 'keep' && !dryRun) await createPrice(stripe, price, list)
  }
  return steps
}
