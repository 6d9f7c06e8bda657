import type { Stripe } from 'stripe'
import { lastEvents } from '#billing/payments/simulator/event-store.ts'
import {
  type CurrencyOptions,
  decimal,
  newEndpoint,
  newPrice,
  newProduct,
} from '#billing/payments/simulator/objects/catalog.ts'
import { newConfiguration } from '#billing/payments/simulator/objects/session.ts'
import { type Catalog, saveCatalog } from '#billing/payments/simulator/store.ts'
import { byId, Refusal, randomText } from '#billing/payments/simulator/world.ts'
import type { Db } from '#platform/db/db.ts'
import { type ApiCall, type ApiRoute, idOf, needed, newestFirst, page } from './call.ts'
import { listAt, textOf, textsAt, valueAt } from './form.ts'

function optionsOf(call: ApiCall, behavior: Stripe.Price.TaxBehavior, own: { currency: string; amount: number }) {
  const given = valueAt(call.params, 'currency_options')
  const names = given !== undefined && typeof given === 'object' && !Array.isArray(given) ? Object.keys(given) : []
  const amounts = new Map(
    names.map((name) => [name, Number(textOf(call.params, 'currency_options', name, 'unit_amount'))]),
  )
  amounts.set(own.currency, own.amount)
  return Object.fromEntries(
    [...amounts].map(([currency, amount]) => [
      currency,
      { custom_unit_amount: null, tax_behavior: behavior, unit_amount: amount, unit_amount_decimal: decimal(amount) },
    ]),
  ) as CurrencyOptions
}

/** Takes a lookup key from the price that has it. */
async function freeLookupKey(trx: Db, catalog: Catalog, call: ApiCall, key: string | undefined): Promise<void> {
  const holder = catalog.price.find((price) => key !== undefined && price.lookup_key === key)
  if (!holder || holder.id === call.ids[0]) return
  if (textOf(call.params, 'transfer_lookup_key') !== 'true') {
    throw new Refusal(`A price (\`${holder.id}\`) already uses that lookup key.`)
  }
  await saveCatalog(trx, 'price', { ...holder, lookup_key: null })
}

async function createPrice(trx: Db, catalog: Catalog, call: ApiCall, now: number): Promise<object> {
  const lookupKey = textOf(call.params, 'lookup_key')
  await freeLookupKey(trx, catalog, call, lookupKey)
  const taxBehavior = (textOf(call.params, 'tax_behavior') ?? 'unspecified') as Stripe.Price.TaxBehavior
  const own = { currency: needed(call, 'currency'), amount: Number(needed(call, 'unit_amount')) }
  const price = newPrice(
    { id: `price_${randomText(16)}`, now },
    {
      ...own,
      product: byId(catalog.product, needed(call, 'product'), 'product').id,
      interval: needed(call, 'recurring', 'interval') === 'year' ? 'year' : 'month',
      taxBehavior,
      lookupKey: lookupKey ?? null,
      metadata: textsAt(call.params, 'metadata'),
      options: optionsOf(call, taxBehavior, own),
    },
  )
  await saveCatalog(trx, 'price', price)
  return price
}

function listedPrices(catalog: Catalog, call: ApiCall): Stripe.Price[] {
  const keys = listAt(call.params, 'lookup_keys')
  const active = textOf(call.params, 'active')
  const found = catalog.price.filter(
    (price) =>
      (keys.length === 0 || keys.includes(price.lookup_key ?? '')) &&
      (active === undefined || String(price.active) === active),
  )
  return newestFirst(found)
}

/** Calls about what belongs to no customer. */
export const catalogCalls: readonly ApiRoute[] = [
  {
    call: /^POST \/v1\/products$/,
    async runOnCatalog({ clock }, trx, catalog, call) {
      const id = textOf(call.params, 'id') ?? `prod_${randomText(14)}`
      if (catalog.product.some((product) => product.id === id)) {
        throw new Refusal(`Product already exists: ${id}`, { code: 'resource_already_exists' })
      }
      const now = Math.floor(clock.now().getTime() / 1000)
      const product = newProduct({ id, now }, needed(call, 'name'), textsAt(call.params, 'metadata'))
      await saveCatalog(trx, 'product', product)
      return product
    },
  },
  {
    call: /^GET \/v1\/products$/,
    runOnCatalog: async (_sim, _trx, catalog, call) => page(call, newestFirst(catalog.product), '/v1/products'),
  },
  {
    call: /^POST \/v1\/prices$/,
    runOnCatalog: ({ clock }, trx, catalog, call) =>
      createPrice(trx, catalog, call, Math.floor(clock.now().getTime() / 1000)),
  },
  {
    call: /^GET \/v1\/prices$/,
    runOnCatalog: async (_sim, _trx, catalog, call) => page(call, listedPrices(catalog, call), '/v1/prices'),
  },
  {
    call: /^GET \/v1\/prices\/(\w+)$/,
    runOnCatalog: async (_sim, _trx, catalog, call) => byId(catalog.price, idOf(call), 'price'),
  },
  {
    call: /^POST \/v1\/prices\/(\w+)$/,
    async runOnCatalog(_sim, trx, catalog, call) {
      const price = byId(catalog.price, idOf(call), 'price')
      const active = textOf(call.params, 'active')
      const changed = {
        ...price,
        active: active === undefined ? price.active : active === 'true',
        metadata: { ...price.metadata, ...textsAt(call.params, 'metadata') },
      }
      await saveCatalog(trx, 'price', changed)
      return changed
    },
  },
  {
    call: /^GET \/v1\/billing_portal\/configurations$/,
    runOnCatalog: async (_sim, _trx, catalog, call) =>
      page(call, newestFirst(catalog.configuration), '/v1/billing_portal/configurations'),
  },
  {
    call: /^POST \/v1\/billing_portal\/configurations$/,
    async runOnCatalog({ clock }, trx, _catalog, call) {
      const now = Math.floor(clock.now().getTime() / 1000)
      const made = newConfiguration({ id: `bpc_${randomText(16)}`, now }, textsAt(call.params, 'metadata'))
      await saveCatalog(trx, 'configuration', made)
      return made
    },
  },
  {
    call: /^GET \/v1\/webhook_endpoints$/,
    runOnCatalog: async (_sim, _trx, catalog, call) =>
      page(
        call,
        newestFirst(catalog.endpoint).map(({ secret: _, ...endpoint }) => endpoint),
        '/v1/webhook_endpoints',
      ),
  },
  {
    call: /^POST \/v1\/webhook_endpoints$/,
    async runOnCatalog({ clock, webhookSecret }, trx, _catalog, call) {
      const now = Math.floor(clock.now().getTime() / 1000)
      const events = listAt(call.params, 'enabled_events').map(String)
      const endpoint = { url: needed(call, 'url'), events, secret: webhookSecret }
      const made = newEndpoint({ id: `we_${randomText(16)}`, now }, endpoint)
      await saveCatalog(trx, 'endpoint', made)
      return made
    },
  },
  {
    call: /^POST \/v1\/webhook_endpoints\/(\w+)$/,
    async runOnCatalog(_sim, trx, catalog, call) {
      const endpoint = byId(catalog.endpoint, idOf(call), 'webhook endpoint')
      const events = listAt(call.params, 'enabled_events').map(String)
      const changed = { ...endpoint, ...(events.length > 0 && { enabled_events: events }) }
      await saveCatalog(trx, 'endpoint', changed)
      const { secret: _, ...shown } = changed
      return shown
    },
  },
  {
    call: /^GET \/v1\/events$/,
    runOnCatalog: async (_sim, trx, _catalog, call) => page(call, await lastEvents(trx, 1000), '/v1/events'),
  },
]
