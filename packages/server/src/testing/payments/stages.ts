import { setTimeout } from 'node:timers/promises'
import { openProvider } from '#billing/payments/open-provider.ts'
import type { ScenarioCard } from '#billing/payments/scenarios.ts'
import { loadStripe, type Stripe } from '#billing/payments/sdk/load.ts'
import { lookupKey } from '#billing/payments/sdk/lookup.ts'
import { ensurePrices } from '#billing/payments/sdk/price-setup.ts'
import { payInvoicePage, payRoutes } from '#billing/payments/simulator/control.ts'
import { eventsOf } from '#billing/payments/simulator/event-store.ts'
import { ownerOf } from '#billing/payments/simulator/store.ts'
import { subscribedEvents } from '#billing/payments/subscribed-events.ts'
import { rows } from '#platform/db/db.ts'
import { type Stage, scenarioPrices } from './play-scenario.ts'
import { buyer, type SimProvider } from './sim-provider.ts'

const numbers: Readonly<Record<ScenarioCard, string>> = {
  pays: '4242424242424242',
  'fails-later': '4000000000000341',
  'asks-always': '4000002760003184',
  disputed: '4000000000000259',
}

/** The simulator. Its clock is one for all customers, so each scenario sets it. */
export function simulatorStage(world: SimProvider): Stage {
  const { sim, provider } = world
  async function moveTo(time: Date): Promise<void> {
    const seconds = (time.getTime() - sim.clock.now().getTime()) / 1000
    if (seconds > 0) await world.advance(seconds)
  }
  return {
    provider,
    async buy({ from, lines, card, ...options }) {
      await rows(sim.db, 'update service_clock set frozen_at = :from::timestamptz', { from })
      await sim.clock.sync()
      const { customerId } = await buyer(world, lines, { card: numbers[card], ...options })
      return customerId
    },
    async storeCard(customerId, card) {
      const owner = (await ownerOf(sim.db, customerId)) ?? ''
      const route = payRoutes.find(({ path }) => path.test(`organizations/${owner}/card`))
      await route?.run(sim, owner, { card: numbers[card], authenticate: true } as never)
    },
    async pay(_customerId, invoiceId) {
      await payInvoicePage(sim, invoiceId, { card: numbers.pays, authenticate: true })
    },
    advanceTo: (_customerId, time) => moveTo(time),
    now: async () => sim.clock.now(),
    eventsOf: async (customerId) => (await eventsOf(sim.db, [customerId])).map(({ type }) => type),
  }
}

const methods: Readonly<Record<ScenarioCard, string>> = {
  pays: 'pm_card_visa',
  'fails-later': 'pm_card_chargeCustomerFail',
  'asks-always': 'pm_card_authenticationRequired',
  disputed: 'pm_card_createDispute',
}

async function clockReady(stripe: Stripe, id: string): Promise<Stripe.TestHelpers.TestClock> {
  for (;;) {
    const clock = await stripe.testHelpers.testClocks.retrieve(id)
    if (clock.status === 'ready') return clock
    if (clock.status !== 'advancing') throw new Error(`the clock of Stripe is ${clock.status}`)
    await setTimeout(2000)
  }
}

/** Stripe in test mode, with a clock for each customer. A subscription is made where a person would use a page. */
export async function stripeStage(secretKey: string): Promise<Stage> {
  const options = { secretKey, timeoutSeconds: 60 }
  const stripe = await loadStripe(options)
  const provider = await openProvider({ ...options, webhookSecrets: [], tax: false })
  await ensurePrices(stripe, scenarioPrices, { dryRun: false })
  const clocks = new Map<string, string>()
  const clockOf = (customerId: string) => clocks.get(customerId) ?? ''
  async function attach(customerId: string, method: string): Promise<string> {
    const { id } = await stripe.paymentMethods.attach(method, { customer: customerId })
    await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } })
    return id
  }
  return {
    provider,
    async buy({ from, lines, period, currency, card }) {
      const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Date.parse(from) / 1000 })
      const customer = await stripe.customers.create({ test_clock: clock.id, email: 'scenario@example.com' })
      clocks.set(customer.id, clock.id)
      await attach(customer.id, methods[card])
      const keys = lines.map(({ item }) => lookupKey(item, period))
      const { data } = await stripe.prices.list({ lookup_keys: keys, active: true })
      await stripe.subscriptions.create({
        customer: customer.id,
        currency: currency.toLowerCase(),
        items: lines.map(({ item, quantity }) => ({
          price: data.find((price) => price.lookup_key === lookupKey(item, period))?.id ?? '',
          quantity,
        })),
      })
      return customer.id
    },
    async storeCard(customerId, card) {
      const method = await attach(customerId, methods[card])
      const { data } = await stripe.subscriptions.list({ customer: customerId })
      for (const { id } of data) await stripe.subscriptions.update(id, { default_payment_method: method })
    },
    async pay(customerId, invoiceId) {
      await stripe.invoices.pay(invoiceId, { payment_method: await attach(customerId, methods.pays) })
    },
    async advanceTo(customerId, time) {
      await stripe.testHelpers.testClocks.advance(clockOf(customerId), {
        frozen_time: Math.floor(time.getTime() / 1000),
      })
      await clockReady(stripe, clockOf(customerId))
    },
    async now(customerId) {
      return new Date((await clockReady(stripe, clockOf(customerId))).frozen_time * 1000)
    },
    async eventsOf(customerId) {
      const kinds: string[] = []
      for await (const event of stripe.events.list({ limit: 100, types: [...subscribedEvents] })) {
        const object = event.data.object as { id?: string; customer?: unknown }
        if (object.customer === customerId || object.id === customerId) kinds.unshift(event.type)
      }
      return kinds
    },
  }
}
