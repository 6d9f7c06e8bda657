import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { billingMails, buy, fault, makeBuyer, passTime, payCheckout, settledPayments } from '#testing/payments/buyer.ts'
import { eventText, postEvent, signed, testWebhookSecret } from '#testing/payments/sign.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({
  env: { PAYMENTS: 'simulated', STRIPE_WEBHOOK_SECRET: `whsec_thenextone123,${testWebhookSecret}` },
})

async function customerOf(organizationId: string): Promise<string> {
  const [found] = await rows<{ customerId: string }>(
    server.db,
    'select customer_id from billing_accounts where organization_id = :organizationId',
    { organizationId },
  )
  return found?.customerId ?? ''
}

const text = eventText()
const refused = (reason: string) => ({ status: 401, code: 'PAYMENT_SIGNATURE_INVALID', reason })

describe('the signature of an event', () => {
  it.each([
    ['no header', text, null, refused('missing')],
    ['an empty header', text, '', refused('missing')],
    ['no signature', text, 'hello', refused('malformed')],
    ['no time', text, 'v1=00', refused('malformed')],
    ['another secret', text, signed(text, { secret: 'whsec_another' }), refused('mismatch')],
    ['other bytes', `${text} `, signed(text), refused('mismatch')],
    ['ten minutes ago', text, signed(text, { ageSeconds: 600 }), refused('expired')],
    ['in ten minutes', text, signed(text, { ageSeconds: -600 }), refused('expired')],
    ['no JSON', 'hello', signed('hello'), { status: 400, code: 'INVALID_JSON' }],
    ['no event', '{"a":1}', signed('{"a":1}'), { status: 400, code: 'VALIDATION_ERROR' }],
    ['an unknown customer', text, signed(text), { status: 200 }],
  ])('with %s', async (_what, body, signature, expected) => {
    expect(await postEvent(server, body, signature)).toEqual(expected)
  })

  it('may be by the secret that is being replaced', async () => {
    expect(await postEvent(server, text, signed(text, { secret: 'whsec_thenextone123' }))).toEqual({ status: 200 })
  })

  it('is judged by the clock of the machine, wherever that of the service is', async () => {
    await passTime(server, 40 * 86_400)
    expect(await postEvent(server, eventText())).toEqual({ status: 200 })
  })
})

describe('an event', () => {
  it('that is rightly signed and forged grants nothing', async () => {
    const buyer = await makeBuyer(server)
    await buyer.client.billing.checkout({ products: ['notify'] })
    const customer = await customerOf(buyer.organizationId)
    const object = {
      object: 'subscription',
      id: 'sub_forged',
      customer,
      status: 'active',
      items: { data: [{ price: { metadata: { msgctl_item: 'connect', msgctl_period: 'year' } }, quantity: 1 }] },
    }
    const forged = eventText({ type: 'customer.subscription.created', data: { object } })
    expect(await postEvent(server, forged)).toEqual({ status: 200 })
    await settledPayments(server)
    expect((await buyer.client.billing.get()).billing).toMatchObject({ status: 'none', products: [] })
  })

  it.each([
    ['of a kind that is not wanted', { type: 'invoice.created' }],
    ['of real money', { livemode: true }],
  ])('%s is ignored', async (_what, change) => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    await settledPayments(server)
    const customer = await customerOf(buyer.organizationId)
    const before = await rows(server.db, 'select count(*) from payment_events')
    const body = eventText({ data: { object: { object: 'subscription', id: 'sub_1', customer } }, ...change })
    expect(await postEvent(server, body)).toEqual({ status: 200 })
    expect(await rows(server.db, 'select count(*) from payment_events')).toEqual(before)
  })

  it('that comes twenty times is stored once', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    await settledPayments(server)
    const customer = await customerOf(buyer.organizationId)
    const id = `evt_${crypto.randomUUID()}`
    const body = eventText({ id, data: { object: { object: 'subscription', id: 'sub_1', customer } } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => postEvent(server, body)))
    expect(answers).toEqual(Array(20).fill({ status: 200 }))
    expect(await rows(server.db, 'select id from payment_events where id = :id', { id })).toHaveLength(1)
    await settledPayments(server)
    expect(await billingMails(server, buyer)).toEqual(['payment_receipt'])
  })
})

describe('events that are', () => {
  it('lost are counted once they are found', async () => {
    const buyer = await makeBuyer(server)
    await fault(server, buyer, { webhooks: 'dropped' })
    const { checkout } = await buyer.client.billing.checkout({ products: ['notify'] })
    await payCheckout(server, checkout.url)
    const repairs = async () =>
      /^msgctl_billing_repairs_total (\d+)/m.exec((await server.services.metrics.text()).body)?.[1]
    const before = Number(await repairs())
    await passTime(server, 301)
    await settledPayments(server)
    expect(Number(await repairs())).toBe(before + 1)
  })
})
