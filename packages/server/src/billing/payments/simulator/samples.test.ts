import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  buyer,
  newBuyer,
  newKey,
  openPage,
  simProvider,
  stateOf,
  subscriptionOf,
} from '#testing/payments/sim-provider.ts'
import { cardBody, payCheckoutPage, payRoutes } from './control.ts'
import { eventsOf } from './event-store.ts'
import { lockWorld } from './store.ts'
import type { World } from './world.ts'

const file = path.join(import.meta.dirname, '../../../testing/payments/stripe-samples.json')
const { resources } = JSON.parse(readFileSync(file, 'utf8')) as { resources: Record<string, Record<string, unknown>> }

const world = await simProvider()
const { sim, provider, stripe } = world

/** Lets everything happen once, so that there is an object of each kind. */
async function everything(): Promise<{ objects: Record<string, unknown>; events: unknown[] }> {
  const { customerId } = await buyer(world, [{ item: 'notify', quantity: 1 }])
  const { id } = await subscriptionOf(world, customerId)
  const [invoice] = (await stateOf(world, customerId)).invoices
  const [dispute, refund] = ['dispute', 'refund'].map((last) =>
    payRoutes.find(({ path: at }) => at.test(`invoices/${invoice?.id}/${last}`)),
  )
  await refund?.run(sim, invoice?.id ?? '', { amount: 100 } as never)
  await dispute?.run(sim, invoice?.id ?? '', { status: 'open' } as never)
  const portal = await provider.openPortal(customerId, 'http://127.0.0.1/')
  const stored = (await lockWorld(sim.db, customerId)) as World
  const [subscription] = stored.subscriptions
  const [paid] = stored.invoices
  const configuration = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true } },
  })
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/',
    enabled_events: ['invoice.paid'],
  })
  const events = await eventsOf(sim.db, [customerId])
  expect(portal).toContain('/portal/')
  expect(id).toBe(subscription?.id)
  return {
    events,
    objects: {
      customer: stored.customer,
      'checkout.session': stored.checkouts[0]?.session,
      'billing_portal.session': stored.portals[0],
      'billing_portal.configuration': configuration,
      subscription,
      subscription_item: subscription?.items.data[0],
      price: subscription?.items.data[0]?.price,
      product: (await stripe.products.list()).data[0],
      invoice: paid,
      line_item: paid?.lines.data[0],
      invoice_payment: paid?.payments?.data[0],
      charge: stored.charges[0],
      payment_intent: stored.intents[0],
      refund: stored.refunds[0],
      dispute: stored.disputes[0],
      payment_method: stored.cards[0],
      event: events[0]?.content,
      webhook_endpoint: endpoint,
    },
  }
}

const { objects } = await everything()

/** The kind of a value; null can stand for any, because most fields may be null. */
const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

/** Fields of the samples that this version of the provider's interface does not have any more. */
const gone: Readonly<Record<string, readonly string[]>> = {
  invoice: ['subscription'],
}

// Stripe's own samples: what the service reads of a simulated object, a real one has too.
describe('the objects of the simulator', () => {
  test.each(Object.keys(resources))('%s has the fields of the sample, with their types', (kind) => {
    const sample = resources[kind] ?? {}
    const object = objects[kind] as Record<string, unknown>
    const missing = Object.keys(sample).filter((name) => !(name in object) && !gone[kind]?.includes(name))
    expect(missing).toEqual([])
    const others = Object.entries(sample).filter(
      ([name, value]) =>
        value !== null && object[name] !== null && name in object && kindOf(value) !== kindOf(object[name]),
    )
    expect(others.map(([name]) => name)).toEqual([])
  })

  test('a card that is none of the test cards is refused, and nothing keeps it', async () => {
    const { customerId } = await newBuyer(world)
    const page = await openPage(world, customerId, [{ item: 'shop', quantity: 1 }])
    const number = '4111 1111 1111 1111'
    expect(cardBody.safeParse({ card: number }).success).toBe(false)
    expect(await payCheckoutPage(sim, page, { card: '4000000000000002', authenticate: true })).toMatchObject({
      outcome: 'declined',
    })
    const kept = JSON.stringify(await lockWorld(sim.db, customerId))
    expect(kept).not.toContain('4111')
    expect(kept).not.toContain('4000000000000002')
    expect(newKey()).not.toBe(newKey())
  })
})
