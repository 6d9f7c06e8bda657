import { describe, expect, it } from 'vitest'
import { loadStripe } from '#billing/payments/sdk/load.ts'
import { simulatedFetch } from '#billing/payments/simulator/http/fetch.ts'
import { paySimOf } from '#billing/payments/simulator/of-services.ts'
import { makeToken } from '#testing/make.ts'
import { expectAgreement } from '#testing/payments/agree.ts'
import {
  buy,
  cards,
  known,
  makeBuyer,
  passTime,
  payCheckout,
  payInvoice,
  settledPayments,
} from '#testing/payments/buyer.ts'
import { sim as simulate } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { setBillingGauges } from './gauges.ts'

const env = { PAYMENTS: 'simulated', STRIPE_WEBHOOK_SECRET: 'whsec_ofbothprocesses' }
const server = await startTestServer({ env })
const sim = paySimOf(server.services)
if (!sim) throw new Error('payments are not simulated')
const stripe = await loadStripe({ secretKey: 'sk_test_dashboard', timeoutSeconds: 10, fetch: simulatedFetch(sim) })

// What a person does in the dashboard of the provider, beside the service.
describe('the dashboard of the provider', () => {
  it('deletes a customer: the plan ends, and the next purchase makes another customer', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const [customer] = (await known(server, buyer)).customers
    await stripe.customers.del(customer?.id ?? '')
    const { billing } = await buyer.client.billing.refresh()
    expect(['none', 'ended']).toContain(billing.status)
    expect(billing.products).toEqual([])
    const { checkout } = await buyer.client.billing.checkout({ products: ['shop'] })
    expect(await payCheckout(server, checkout.url)).toMatchObject({ outcome: 'paid' })
    expect((await buyer.client.billing.refresh()).billing).toMatchObject({ status: 'active', products: ['shop'] })
  })

  it('is that of another account: nothing ends, and a person is shown that the provider refuses', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const account = server.db('billing_accounts').where({ organizationId: buyer.organizationId })
    const [{ customerId } = { customerId: '' }] = await account.clone().select('customerId')
    await account.clone().update({ customerId: 'cus_ofanother' })
    await expect(buyer.client.billing.refresh()).rejects.toMatchObject({
      code: 'PAYMENT_CHANGE_REFUSED',
      details: { reason: 'provider' },
    })
    expect((await buyer.client.billing.get()).billing).toMatchObject({ status: 'active', products: ['notify'] })
    await account.clone().update({ customerId })
    await buyer.client.billing.refresh()
    await expectAgreement(server, buyer)
  })

  it('removes a product that a waiting change would remove: the rest of the change is what is there', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer, { products: ['notify', 'shop'] })
    await simulate(server, `POST payments/organizations/${buyer.organizationId}/card`, { card: cards.asksAlways })
    await expect(buyer.client.billing.setPlan({ products: ['connect'] })).rejects.toMatchObject({
      details: { reason: 'authentication_required' },
    })
    const waiting = (await buyer.client.billing.get()).billing.pendingChange
    await payInvoice(server, waiting?.payUrl)
    const [subscription] = (await known(server, buyer)).subscriptions
    const { items } = await stripe.subscriptions.retrieve(subscription?.id ?? '')
    const leaving = items.data.find(({ price }) => /notify|shop/.test(price.metadata.msgctl_item ?? ''))
    if (leaving) await stripe.subscriptionItems.del(leaving.id, { proration_behavior: 'none' }).catch(() => undefined)
    expect((await buyer.client.billing.refresh()).billing.products).toContain('connect')
    await settledPayments(server)
    await buyer.client.billing.cancel()
  })

  it('shows its figures in the metrics', async () => {
    await setBillingGauges(server.services)
    const { body } = await server.services.metrics.text()
    expect(body).toMatch(/^msgctl_billing_subscriptions\{status="active"\} [1-9]/m)
    expect(body).toMatch(/^msgctl_billing_refresh_age_seconds \d/m)
    expect(body).toMatch(/^msgctl_billing_events_waiting_seconds \d/m)
    expect((await stripe.events.list({ limit: 5 })).data).toHaveLength(5)
  })

  it('changes quantities and stops a subscription: the service follows', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer, { products: ['developer'], extraNumbers: 1 })
    const [subscription] = (await known(server, buyer)).subscriptions
    const { items } = await stripe.subscriptions.retrieve(subscription?.id ?? '')
    const extra = items.data.find(({ price }) => price.metadata.msgctl_item === 'extra_numbers')
    await stripe.subscriptions.update(subscription?.id ?? '', {
      items: [{ id: extra?.id ?? '', quantity: 6 }],
      proration_behavior: 'none',
    })
    await stripe.subscriptions.update(subscription?.id ?? '', { cancel_at_period_end: true })
    await settledPayments(server)
    expect((await buyer.client.billing.get()).billing).toMatchObject({ extraNumbers: 6, cancelAtPeriodEnd: true })
    expect((await buyer.client.billing.resume()).billing).toMatchObject({ cancelAtPeriodEnd: false, endsAt: null })
    await expectAgreement(server, buyer)
  })

  it('changes a price: who pays keeps the old amount until the plan changes', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    await stripe.prices.create({
      product: 'msgctl_notify',
      currency: 'usd',
      unit_amount: 2500,
      recurring: { interval: 'month' },
      lookup_key: 'msgctl_notify_month',
      transfer_lookup_key: true,
      metadata: { msgctl_item: 'notify', msgctl_period: 'month' },
    })
    expect((await buyer.client.billing.refresh()).billing.amount).toMatchObject({ amount: 1900 })
    await passTime(server, 32 * 86_400)
    await settledPayments(server)
    const { invoices } = await buyer.client.billing.invoices({})
    expect(invoices.map(({ total }) => total.amount)).toEqual([1900, 1900])
    await expectAgreement(server, buyer)
  })
})

describe('two processes', () => {
  it('six who buy at once have one customer, one page and one plan', async () => {
    const other = await serveDatabase(server.db, server.databaseUrl, { env, worker: false })
    try {
      const buyer = await makeBuyer(server)
      const token = await makeToken(server, buyer)
      const clients = [server.client({ token }), other.client({ token })]
      const tries = [0, 1, 2].flatMap(() => clients.map((client) => client.billing.checkout({ products: ['notify'] })))
      const pages = await Promise.all(tries)
      expect(new Set(pages.map(({ checkout }) => checkout.url)).size).toBe(1)
      await payCheckout(server, pages[0]?.checkout.url ?? '')
      await buyer.client.billing.refresh()
      const { customers, subscriptions } = await known(server, buyer)
      expect([customers.length, subscriptions.length]).toEqual([1, 1])
      await expectAgreement(server, buyer)
    } finally {
      await other.stop()
    }
  })
})
