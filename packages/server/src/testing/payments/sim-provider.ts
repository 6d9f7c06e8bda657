import { randomUUID } from 'node:crypto'
import { openProvider } from '#billing/payments/open-provider.ts'
import type { Provider } from '#billing/payments/provider.ts'
import type { PlanLine, PlanPeriod, ProviderState, ProviderSubscription } from '#billing/payments/provider-records.ts'
import { loadStripe, type Stripe } from '#billing/payments/sdk/load.ts'
import type { PaySim } from '#billing/payments/simulator/context.ts'
import { payCheckoutPage } from '#billing/payments/simulator/control.ts'
import { simulatedFetch } from '#billing/payments/simulator/http/fetch.ts'
import { builtInPrices, type PriceList } from '#billing/prices/price-list.ts'
import { startClock } from '#platform/db/clock.ts'
import { localWake } from '#platform/db/wake.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { testDatabase } from '#testing/database.ts'

/** The provider's library over the simulator, without a service. */
export interface SimProvider {
  readonly sim: PaySim
  readonly provider: Provider
  /** The library itself, over the same simulator. */
  readonly stripe: Stripe
  advance(seconds: number): Promise<void>
}

/** Opens a provider on a database of its own. Call it at the top of a file. */
export async function simProvider(
  options: { readonly prices?: PriceList; readonly tax?: boolean; readonly timeoutSeconds?: number } = {},
): Promise<SimProvider> {
  const { db } = await testDatabase()
  const clock = await startClock(db, { followMs: 60_000 })
  await clock.freeze()
  cleanUpAfterFile(async () => clock.stop())
  const prices = options.prices ?? builtInPrices
  const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {}, trace() {} } as unknown as PaySim['log']
  const sim: PaySim = {
    db,
    clock,
    log,
    wake: localWake(),
    webhookSecret: 'whsec_ofatest',
    tax: prices.simulatedTaxPercent,
    pages: 'http://127.0.0.1:1/simulated-payments',
  }
  const carry = simulatedFetch(sim)
  const settings = { secretKey: 'sk_test_simulated', timeoutSeconds: options.timeoutSeconds ?? 10, fetch: carry }
  const provider = await openProvider({
    ...settings,
    webhookSecrets: [sim.webhookSecret],
    tax: options.tax ?? false,
    seed: prices,
  })
  return {
    sim,
    provider,
    stripe: await loadStripe(settings),
    async advance(seconds) {
      await clock.advance(seconds)
    },
  }
}

/** A customer with a plan, as a test begins. */
export interface Buyer {
  readonly organizationId: string
  readonly customerId: string
}

let keys = 0

/** Returns an idempotency key that nothing else has. */
export function newKey(): string {
  keys += 1
  return `test:${keys}`
}

/** Makes a customer of a new organization. */
export async function newBuyer({ provider }: SimProvider, country?: string): Promise<Buyer> {
  const organizationId = randomUUID()
  const fields = { organizationId, email: 'amira@example.com', name: 'Acme', ...(country && { country }) }
  const customerId = await provider.saveCustomer({ key: newKey(), ...fields })
  return { organizationId, customerId }
}

/** Opens a checkout; returns the id at the end of its address. */
export async function openPage(
  { provider, sim }: SimProvider,
  customerId: string,
  lines: readonly PlanLine[],
  { period = 'month', currency = 'USD' }: { period?: PlanPeriod; currency?: string } = {},
): Promise<string> {
  const expiresAt = new Date(sim.clock.now().getTime() + 86_400_000)
  const returnUrl = 'http://127.0.0.1/console/billing'
  const page = { key: newKey(), customerId, lines, period, currency, returnUrl, expiresAt }
  const { url } = await provider.openCheckout(page)
  return url.split('/').at(-1) ?? ''
}

/** Buys a plan with a card (default: the one that pays). */
export async function buyer(
  world: SimProvider,
  lines: readonly PlanLine[],
  options: { card?: string; period?: PlanPeriod; currency?: string; country?: string } = {},
): Promise<Buyer> {
  const made = await newBuyer(world, options.country)
  const page = await openPage(world, made.customerId, lines, options)
  const { outcome } = await payCheckoutPage(world.sim, page, {
    card: options.card ?? '4242424242424242',
    authenticate: true,
  })
  if (outcome !== 'paid') throw new Error(`the plan was not paid: ${outcome}`)
  return made
}

/** Returns what the provider says, which has to exist. */
export async function stateOf({ provider }: SimProvider, customerId: string): Promise<ProviderState> {
  const state = await provider.read(customerId)
  if (state === null) throw new Error('no such customer')
  return state
}

/** Returns the one subscription of a customer. */
export async function subscriptionOf(world: SimProvider, customerId: string): Promise<ProviderSubscription> {
  const { subscriptions } = await stateOf(world, customerId)
  const [subscription] = subscriptions
  if (!subscription || subscriptions.length > 1) throw new Error(`${subscriptions.length} subscriptions`)
  return subscription
}
