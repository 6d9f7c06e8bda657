import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { checkSetup, claimCustomer, setUp } from '#billing/payments/sdk/setup.ts'
import { readCatalog } from '#billing/payments/simulator/store.ts'
import { builtInPrices } from '#billing/prices/price-list.ts'
import { testDatabase } from '#testing/database.ts'
import { buyer, simProvider, stateOf } from '#testing/payments/sim-provider.ts'
import { billingCommands } from './billing-commands.ts'
import type { Terminal } from './terminal.ts'

const { url: databaseUrl } = await testDatabase()
const world = await simProvider({ prices: { ...builtInPrices, products: {}, extraNumber: {} } })
const { stripe, sim } = world
const secretsKeys = newSecretsKeys()

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const seen = { out: '', err: '', exitCode: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys, ...env },
    write: (text) => {
      seen.out += text
    },
    complain: (text) => {
      seen.err += text
    },
    readInput: async () => '',
    ask: async () => null,
    end: (exitCode) => {
      seen.exitCode = exitCode
    },
    leave: (exitCode) => {
      throw new Error(`left with ${exitCode}`)
    },
  }
  await billingCommands(terminal).parseAsync([...words], { from: 'user' })
  return seen
}

const target = { prices: builtInPrices, webhookUrl: 'https://example.com/api/v1/payments/webhook', tax: false }
const does = (steps: readonly { does: string }[]) => [...new Set(steps.map((step) => step.does))]

describe('billing setup', () => {
  it('shows what it would make, makes it once, and the check finds it right', async () => {
    expect(does((await setUp(stripe, target, { dryRun: true })).steps)).toEqual(['create'])
    expect((await readCatalog(sim.db)).price).toEqual([])
    const missing = (await checkSetup(stripe, target)).filter(({ problem }) => problem !== null)
    expect(missing.map(({ what }) => what)).toEqual(['prices', 'portal', 'webhook endpoint'])
    const made = await setUp(stripe, target, { dryRun: false })
    expect(made.webhookSecret).toMatch(/^whsec_/)
    const again = await setUp(stripe, target, { dryRun: false })
    expect(does(again.steps)).toEqual(['keep'])
    expect(again.webhookSecret).toBeNull()
    expect((await checkSetup(stripe, target)).every(({ problem }) => problem === null)).toBe(true)
  })

  it('makes a new price for an amount that changed; who pays the old one keeps it', async () => {
    const { customerId } = await buyer(world, [{ item: 'notify', quantity: 1 }])
    const dearer = { ...builtInPrices.products, notify: { month: { USD: 2100, EUR: 2000 }, year: { USD: 21_000 } } }
    const changed = { ...target, prices: { ...builtInPrices, products: dearer } }
    const { steps } = await setUp(stripe, changed, { dryRun: false })
    expect(steps.filter((step) => step.does === 'replace').map(({ what }) => what)).toEqual([
      'price msgctl_notify_month: 2100 USD, 2000 EUR',
      'price msgctl_notify_year: 21000 USD',
    ])
    const items = async (id: string) => (await stateOf(world, id)).subscriptions[0]?.items
    expect(await items(customerId)).toMatchObject([{ item: 'notify', amount: 1900 }])
    const { customerId: later } = await buyer(world, [{ item: 'notify', quantity: 1 }])
    expect(await items(later)).toMatchObject([{ item: 'notify', amount: 2100 }])
  })

  it('gives a customer to an organization, when there is such a customer', async () => {
    const { id } = await stripe.customers.create({ email: 'by-hand@example.com' })
    const organizationId = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'
    expect(await claimCustomer(stripe, id, organizationId)).toBe(true)
    expect(await world.provider.findCustomer({ organizationId })).toBe(id)
    expect(await claimCustomer(stripe, 'cus_00000000000000', organizationId)).toBe(false)
  })
})

describe('msgctl-server billing', () => {
  it('says why there is nothing to set up', async () => {
    expect(await run(['setup'])).toMatchObject({
      err: 'This service takes no payments: PAYMENTS is off.\n',
      exitCode: 1,
    })
    const env = { PAYMENTS: 'simulated', STRIPE_WEBHOOK_SECRET: 'whsec_ofthistest' }
    expect((await run(['check'], env)).err).toContain('sets up the simulator by itself')
    const id = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'
    expect((await run(['show', id])).err).toBe('There is no such organization.\n')
    expect((await run(['refresh'])).err).toBe('This service takes no payments: PAYMENTS is off.\n')
    expect((await run(['refresh'], env)).out).toBe('The service reads 0 accounts again.\n')
  })
})
