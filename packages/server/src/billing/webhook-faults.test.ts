import { describe, expect, it } from 'vitest'
import { makeToken } from '#testing/make.ts'
import { expectAgreement } from '#testing/payments/agree.ts'
import {
  type Buyer,
  billingLog,
  billingMails,
  buy,
  cards,
  fault,
  healed,
  known,
  makeBuyer,
  passTime,
  payCheckout,
  settledPayments,
} from '#testing/payments/buyer.ts'
import { postEvent, signed, testWebhookSecret } from '#testing/payments/sign.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { PAYMENTS: 'simulated', STRIPE_WEBHOOK_SECRET: testWebhookSecret } })
const day = 86_400

/** What happens to an organization while its events are lost, doubled or late. */
const stories: Readonly<Record<string, (buyer: Buyer) => Promise<unknown>>> = {
  renewal: async () => undefined,
  async purchase({ client }) {
    const { checkout } = await client.billing.checkout({ products: ['shop'] })
    return payCheckout(server, checkout.url)
  },
  change: ({ client }) => client.billing.setPlan({ products: ['notify', 'shop'] }),
  failure: ({ organizationId }) =>
    sim(server, `POST payments/organizations/${organizationId}/card`, { card: cards.failsLater }),
  end: ({ organizationId }) => sim(server, `POST payments/organizations/${organizationId}/end`, {}),
  async refund(buyer) {
    const [invoice] = (await known(server, buyer)).invoices
    return sim(server, `POST payments/invoices/${invoice?.id}/refund`, {})
  },
}

describe('events that are', () => {
  it.each(process.env.BILLING === 'full' ? ['dropped', 'tripled', 'held'] : ['held'])(
    '%s end with what the provider says, each mail and entry once',
    async (how) => {
      const buyers: [string, Buyer][] = []
      for (const name of Object.keys(stories)) {
        const buyer = await makeBuyer(server)
        if (name !== 'purchase') await buy(server, buyer)
        await fault(server, buyer, { webhooks: how })
        buyers.push([name, buyer])
      }
      for (const [name, buyer] of buyers) await stories[name]?.(buyer)
      await passTime(server, 31 * day + 7200)
      await settledPayments(server)
      for (const [, buyer] of buyers) await healed(server, buyer)
      await passTime(server, 25 * 3600)
      await settledPayments(server)
      for (const [name, before] of buyers) {
        // The first session has ended by now.
        const buyer = { ...before, client: server.client({ token: await makeToken(server, before) }) }
        await expectAgreement(server, buyer)
        const log = await billingLog(server, buyer)
        expect(log.filter((entry) => entry.startsWith('subscribed'))).toHaveLength(1)
        const mails = await billingMails(server, buyer)
        expect(mails.filter((kind) => kind === 'payment_failed')).toHaveLength(name === 'failure' ? 1 : 0)
        expect(mails.filter((kind) => kind === 'subscription_ended')).toHaveLength(name === 'end' ? 1 : 0)
      }
    },
    120_000,
  )

  it('twenty at once cost a few readings, and change nothing that they say', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { events } = await known(server, buyer)
    const deliveries = Array.from({ length: 20 }, (_, n) => events[n % events.length]?.id)
    const statuses = await Promise.all(
      deliveries.map((id) => sim<{ status: number }>(server, `POST payments/events/${id}/deliver`)),
    )
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))
    await settledPayments(server)
    await expectAgreement(server, buyer)
  })

  it('invented and rightly signed give nothing; replayed and forged ones are refused', async () => {
    const buyer = await makeBuyer(server)
    const { checkout } = await buyer.client.billing.checkout({ products: ['connect'] })
    const [customer] = (await known(server, buyer)).customers
    const object = {
      object: 'subscription',
      id: 'sub_invented',
      customer: customer?.id,
      status: 'active',
      items: { data: [{ price: { metadata: { msgctl_item: 'connect' } } }] },
    }
    const event = (id: string) =>
      JSON.stringify({ id, type: 'customer.subscription.created', created: 1, livemode: false, data: { object } })
    const invented = event('evt_invented')
    expect(await postEvent(server, invented)).toEqual({ status: 200 })
    // The same bytes with the same signature, later: a repetition of what was stored.
    expect(await postEvent(server, invented)).toEqual({ status: 200 })
    const old = event('evt_old')
    expect((await postEvent(server, old, signed(old, { ageSeconds: 3600 }))).status).toBe(401)
    expect((await postEvent(server, old, `t=1,v1=${'0'.repeat(64)}`)).status).toBe(401)
    await settledPayments(server)
    expect((await buyer.client.billing.get()).billing).toMatchObject({ status: 'none', products: [] })
    expect((await buyer.client.billing.get()).billing.checkout?.id).toBe(checkout.id)
  })
})
