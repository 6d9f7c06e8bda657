import type { Stripe } from 'stripe'
import { subscribedEvents } from '#billing/payments/subscribed-events.ts'
import type { PriceList } from '#billing/prices/price-list.ts'
import { ensurePrices, type SetupStep } from './price-setup.ts'
import { failureOf } from './sdk.ts'

/** What an account at the provider is set up for. */
export interface SetupTarget {
  readonly prices: PriceList
  /** Where events go. */
  readonly webhookUrl: string
  readonly tax: boolean
}

/** What setting up did, or would do. */
export interface SetUp {
  readonly steps: readonly SetupStep[]
  /** The secret of an endpoint that was made just now: the provider shows it this once. */
  readonly webhookSecret: string | null
}

type Portal = Stripe.BillingPortal.Configuration

async function findPortal(stripe: Stripe): Promise<Portal | undefined> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  return data.find(({ metadata }) => metadata?.msgctl === 'portal')
}

/** The portal changes card, e-mail and tax id only: plans change in the service, and the operator changes addresses. */
async function createPortal(stripe: Stripe): Promise<void> {
  await stripe.billingPortal.configurations.create({
    metadata: { msgctl: 'portal' },
    features: {
      customer_update: { enabled: true, allowed_updates: ['email', 'tax_id'] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: false },
      subscription_update: { enabled: false, default_allowed_updates: [], products: [] },
    },
  })
}

async function findEndpoint(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint | undefined> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 })
  return data.find((endpoint) => endpoint.url === url)
}

function lacks({ enabled_events: enabled }: Stripe.WebhookEndpoint): string[] {
  return enabled.includes('*') ? [] : subscribedEvents.filter((kind) => !enabled.includes(kind))
}

/** Makes what the service needs at the provider; what is there stays, so it can be repeated. */
export async function setUp(stripe: Stripe, target: SetupTarget, { dryRun }: { dryRun: boolean }): Promise<SetUp> {
  const steps = await ensurePrices(stripe, target.prices, { dryRun })
  const portal = await findPortal(stripe)
  steps.push({ does: portal ? 'keep' : 'create', what: 'portal configuration' })
  if (!portal && !dryRun) await createPortal(stripe)
  const endpoint = await findEndpoint(stripe, target.webhookUrl)
  const does = endpoint === undefined ? 'create' : lacks(endpoint).length > 0 ? 'replace' : 'keep'
  steps.push({ does, what: `webhook endpoint ${target.webhookUrl}` })
  let webhookSecret: string | null = null
  const events = { enabled_events: [...subscribedEvents] }
  if (does === 'create' && !dryRun) {
    const made = await stripe.webhookEndpoints.create({ url: target.webhookUrl, ...events })
    webhookSecret = made.secret ?? null
  }
  if (endpoint && does === 'replace' && !dryRun) await stripe.webhookEndpoints.update(endpoint.id, events)
  return { steps, webhookSecret }
}

/** One thing that was checked. */
export interface SetupCheck {
  readonly what: string
  /** What is wrong; null when it is right. */
  readonly problem: string | null
}

/** Runs a check; a call that fails is its problem. */
async function checked(what: string, find: () => Promise<string | null>): Promise<SetupCheck> {
  try {
    return { what, problem: await find() }
  } catch (error) {
    const failure = failureOf(error)
    if (failure === null) throw error
    const { type, code } = error as { type?: string; code?: string }
    return { what, problem: `the provider refused the call (${[type, code].filter(Boolean).join(' ')})` }
  }
}

/** Compares the provider with what the service needs. Changes nothing. */
export async function checkSetup(stripe: Stripe, target: SetupTarget): Promise<SetupCheck[]> {
  const checks = [
    await checked('prices', async () => {
      const steps = await ensurePrices(stripe, target.prices, { dryRun: true })
      const wrong = steps.filter(({ does }) => does !== 'keep').map(({ what }) => what)
      return wrong.length === 0 ? null : `not as in PRICES_FILE: ${wrong.join('; ')}`
    }),
    await checked('portal', async () => ((await findPortal(stripe)) ? null : 'there is no configuration')),
    await checked('webhook endpoint', async () => {
      const endpoint = await findEndpoint(stripe, target.webhookUrl)
      if (!endpoint) return `none leads to ${target.webhookUrl}`
      if (endpoint.status !== 'enabled') return 'it is disabled'
      const missing = lacks(endpoint)
      return missing.length === 0 ? null : `it lacks ${missing.join(', ')}`
    }),
  ]
  if (target.tax) {
    checks.push(
      await checked('tax', async () => {
        const { status } = await stripe.tax.settings.retrieve()
        return status === 'active' ? null : 'BILLING_TAX=stripe, and Stripe Tax is not active'
      }),
    )
  }
  return checks
}

/** Gives a customer of the provider to an organization. Returns false when there is no such customer. */
export async function claimCustomer(stripe: Stripe, customerId: string, organizationId: string): Promise<boolean> {
  try {
    const customer = await stripe.customers.retrieve(customerId)
    if (customer.deleted) return false
    await stripe.customers.update(customerId, { metadata: { organizationId } })
    return true
  } catch (error) {
    if (failureOf(error)?.kind === 'missing') return false
    throw error
  }
}
