import { describe, expect, it } from 'vitest'
import { makeToken } from '#testing/make.ts'
import {
  billingLog,
  billingMails,
  buy,
  cards,
  known,
  makeBuyer,
  passTime,
  payInvoice,
  settledPayments,
} from '#testing/payments/buyer.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { PAYMENTS: 'simulated' } })

/** An organization that pays for Notify, with the card that it has from now on. */
async function subscriber(card: string = cards.pays) {
  const buyer = await makeBuyer(server)
  await buy(server, buyer)
  if (card !== cards.pays) await sim(server, `POST payments/organizations/${buyer.organizationId}/card`, { card })
  return { ...buyer, billing: buyer.client.billing }
}

const refused = (reason: string) => ({ code: 'PAYMENT_CHANGE_REFUSED', details: { reason } })

describe('a change of the plan', () => {
  it('charges more at once, and makes it work at once', async () => {
    const { billing, client, organizationId } = await subscriber()
    const preview = await billing.preview({ products: ['notify', 'shop'] })
    const { billing: after, invoice } = await billing.setPlan({ products: ['notify', 'shop'] })
    expect(after).toMatchObject({ products: ['notify', 'shop'], amount: { amount: 5800 }, pendingChange: null })
    expect(invoice).toMatchObject({ status: 'paid', receipt: true })
    expect(Math.abs((invoice?.total.amount ?? 0) - preview.preview.dueNow.amount)).toBeLessThanOrEqual(1)
    const held = (await client.organization.get()).organization.products
    expect(held.find(({ product }) => product === 'shop')?.state).toBe('active')
    const { charges } = await known(server, { organizationId })
    expect(charges.map(({ amount }) => amount)).toEqual([1900, invoice?.total.amount])
    expect(await billingLog(server, { organizationId })).toContain('plan_changed by user')
  })

  it('that was made already changes nothing, charges nothing and is not logged', async () => {
    const { billing, organizationId } = await subscriber()
    await billing.setPlan({ products: ['notify', 'shop'] })
    const before = await known(server, { organizationId })
    const log = await billingLog(server, { organizationId })
    expect((await billing.setPlan({ products: ['shop', 'notify'] })).invoice).toBeNull()
    expect((await billing.setExtraNumbers({ extraNumbers: 0 })).invoice).toBeNull()
    expect((await known(server, { organizationId })).charges).toEqual(before.charges)
    expect(await billingLog(server, { organizationId })).toEqual(log)
  })

  it('to less becomes credit', async () => {
    const { billing, client } = await subscriber()
    await billing.setPlan({ products: ['notify', 'connect'] })
    const { billing: after } = await billing.setPlan({ products: ['notify'] })
    expect(after).toMatchObject({ products: ['notify'], amount: { amount: 1900 } })
    expect(after.credit.amount).toBeGreaterThan(5000)
    const held = (await client.organization.get()).organization.products
    expect(held.find(({ product }) => product === 'connect')?.state).not.toBe('active')
  })

  it('from one product to another is one net invoice', async () => {
    const { billing, organizationId } = await subscriber()
    const { billing: after, invoice } = await billing.setPlan({ products: ['assistant'] })
    expect(after).toMatchObject({ products: ['assistant'], amount: { amount: 2900 } })
    expect(invoice?.total.amount).toBeLessThanOrEqual(1000)
    expect((await known(server, { organizationId })).charges).toHaveLength(2)
  })

  it('lets extra numbers leave with the last product that limits numbers', async () => {
    const { billing, client } = await subscriber()
    await expect(billing.setExtraNumbers({ extraNumbers: 1 })).rejects.toMatchObject(refused('no_capped_product'))
    await billing.setPlan({ products: ['notify', 'developer'] })
    expect((await billing.setExtraNumbers({ extraNumbers: 3 })).billing.extraNumbers).toBe(3)
    expect((await client.organization.get()).organization.numbers).toMatchObject({ included: 3, extra: 3 })
    const { billing: after } = await billing.setPlan({ products: ['notify'] })
    expect(after).toMatchObject({ products: ['notify'], extraNumbers: 0, amount: { amount: 1900 } })
  })

  it('of the period goes both ways', async () => {
    const { billing } = await subscriber()
    await expect(billing.setPeriod({ period: 'month' })).rejects.toMatchObject({ code: 'PAYMENT_SAME_PERIOD' })
    const yearly = await billing.setPeriod({ period: 'year' })
    expect(yearly.billing).toMatchObject({ period: 'year', amount: { amount: 19_000 } })
    expect(yearly.invoice?.total.amount).toBeGreaterThan(17_000)
    const monthly = await billing.setPeriod({ period: 'month' })
    expect(monthly.billing).toMatchObject({ period: 'month', amount: { amount: 1900 } })
    expect(monthly.billing.credit.amount).toBeGreaterThan(16_000)
  })

  it('that a card declines changes nothing, and waits for the payment', async () => {
    const { billing, organizationId } = await subscriber(cards.failsLater)
    const error = await billing.setPlan({ products: ['notify', 'shop'] }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'PAYMENT_CHANGE_REFUSED',
      details: {
        reason: 'card_declined',
        declineCode: 'generic_decline',
        payUrl: expect.stringContaining('/invoice/'),
      },
    })
    const waiting = (await billing.get()).billing
    expect(waiting).toMatchObject({
      status: 'active',
      products: ['notify'],
      pendingChange: { products: ['notify', 'shop'] },
    })
    expect(await billingMails(server, { organizationId })).toEqual(['payment_receipt'])
    await payInvoice(server, waiting.pendingChange?.payUrl, { card: cards.pays })
    await settledPayments(server)
    expect((await billing.get()).billing).toMatchObject({ products: ['notify', 'shop'], pendingChange: null })
  })

  it('lets what only leaves leave after the payment of what comes', async () => {
    const { billing, organizationId } = await subscriber()
    await billing.setPlan({ products: ['notify', 'shop'] })
    await sim(server, `POST payments/organizations/${organizationId}/card`, { card: cards.asksAlways })
    await expect(billing.setPlan({ products: ['connect'] })).rejects.toMatchObject(refused('authentication_required'))
    const waiting = (await billing.get()).billing
    expect(waiting.products).toEqual(['notify', 'shop'])
    await payInvoice(server, waiting.pendingChange?.payUrl)
    expect((await billing.refresh()).billing).toMatchObject({ products: ['connect'], amount: { amount: 5900 } })
    await settledPayments(server)
  })

  it('that waits is gone after 23 h', async () => {
    const { billing } = await subscriber(cards.failsLater)
    await expect(billing.setPlan({ products: ['notify', 'shop'] })).rejects.toMatchObject(refused('card_declined'))
    await passTime(server, 23.5 * 3600)
    expect((await billing.refresh()).billing).toMatchObject({ products: ['notify'], pendingChange: null })
  })

  it('by two at once ends as one of them wanted', async () => {
    const { billing, organizationId, ...buyer } = await subscriber()
    const admin = server.client({ token: await makeToken(server, { organizationId, ...buyer }, 'admin') })
    const wanted = [
      ['notify', 'shop'],
      ['notify', 'assistant'],
    ] as const
    await Promise.all([
      billing.setPlan({ products: [...wanted[0]] }),
      admin.billing.setPlan({ products: [...wanted[1]] }),
      billing.setPlan({ products: [...wanted[0]] }),
    ])
    const { products } = (await billing.refresh()).billing
    expect(wanted.map((one) => [...one].sort())).toContainEqual([...products].sort())
    const { subscriptions, invoices, charges } = await known(server, { organizationId })
    expect(subscriptions).toHaveLength(1)
    const paid = invoices.filter(({ status }) => status === 'paid').reduce((sum, one) => sum + one.paid, 0)
    expect(charges.reduce((sum, { amount }) => sum + amount, 0)).toBe(paid)
  })

  it('needs a subscription', async () => {
    const { client } = await makeBuyer(server)
    const calls = [
      client.billing.setPlan({ products: ['shop'] }),
      client.billing.setExtraNumbers({ extraNumbers: 1 }),
      client.billing.setPeriod({ period: 'year' }),
      client.billing.cancel(),
      client.billing.resume(),
      client.billing.portal(),
    ]
    const refusals = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)))
    expect(refusals).toEqual(calls.map(() => expect.objectContaining({ code: 'PAYMENT_NO_SUBSCRIPTION' })))
  })
})

describe('stopping a plan', () => {
  it('lets it work until the end of the period, and can be taken back', async () => {
    const { billing, client, organizationId } = await subscriber()
    await expect(billing.resume()).rejects.toMatchObject({ code: 'PAYMENT_NOTHING_TO_RESUME' })
    const stopped = (await billing.cancel()).billing
    expect(stopped).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, endsAt: stopped.currentPeriodEnd })
    expect((await billing.cancel()).billing).toEqual(stopped)
    await expect(billing.setPlan({ products: ['shop'] })).rejects.toMatchObject(refused('ending'))
    expect((await billing.resume()).billing).toMatchObject({ cancelAtPeriodEnd: false, endsAt: null })
    await billing.cancel()
    await passTime(server, 32 * 86_400)
    // The product ends exactly then, whatever the provider or a job does.
    expect((await client.organization.get()).organization.products.every(({ state }) => state === 'paused')).toBe(true)
    await expect(client.alert.send({ phone: '12025550100', message: 'hi' })).rejects.toMatchObject({
      code: 'PRODUCT_REQUIRED',
    })
    await settledPayments(server)
    expect((await billing.get()).billing).toMatchObject({ status: 'ended', products: [], amount: null })
    expect(await billingLog(server, { organizationId })).toEqual([
      'checkout_opened by user',
      'subscribed by payments',
      'payment_received by payments',
      'canceled by user',
      'resumed by user',
      'canceled by user',
      'ended by payments',
    ])
    expect(await billingMails(server, { organizationId })).toEqual(
      expect.arrayContaining(['payment_receipt', 'subscription_ended']),
    )
  })

  it('opens the page for the card', async () => {
    const { billing } = await subscriber()
    expect((await billing.portal()).portal.url).toContain('/portal/')
  })
})
