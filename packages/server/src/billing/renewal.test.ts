import { describe, expect, it } from 'vitest'
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
const day = 86_400

async function subscriber(card: string) {
  const buyer = await makeBuyer(server)
  await buy(server, buyer)
  await sim(server, `POST payments/organizations/${buyer.organizationId}/card`, { card })
  return { ...buyer, billing: buyer.client.billing }
}

/** Lets time pass, and waits until the provider has played it and the service knows. */
async function pass(days: number): Promise<void> {
  await passTime(server, days * day)
  await settledPayments(server)
}

describe('a renewal', () => {
  it('that is paid continues, each month, however far the clock jumps', async () => {
    const { billing, organizationId } = await subscriber(cards.pays)
    await pass(95)
    expect((await billing.refresh()).billing).toMatchObject({ status: 'active', products: ['notify'] })
    const { charges } = await known(server, { organizationId })
    expect(charges.map(({ amount, status }) => [amount, status])).toEqual(Array(4).fill([1900, 'succeeded']))
    expect((await billing.invoices({})).invoices).toHaveLength(4)
    const receipts = (await billingMails(server, { organizationId })).filter((kind) => kind === 'payment_receipt')
    expect(receipts).toHaveLength(4)
  })

  it('that is declined has days of grace, then pauses, and works again once it is paid', async () => {
    const { billing, client, organizationId } = await subscriber(cards.failsLater)
    const state = async () => (await billing.get()).billing
    const works = async () =>
      (await client.organization.get()).organization.products.some(({ state: one }) => one === 'active')
    await pass(31.5)
    const late = await state()
    expect(late).toMatchObject({ status: 'past_due', products: ['notify'], openInvoice: { reason: 'card_declined' } })
    expect(await works()).toBe(true)
    expect((await client.organization.get()).organization.products[0]?.state).toBeDefined()
    expect(await billingMails(server, { organizationId })).toContain('payment_failed')
    await expect(billing.setPlan({ products: ['shop'] })).rejects.toMatchObject({
      code: 'PAYMENT_CHANGE_REFUSED',
      details: { reason: 'payment_open', payUrl: late.openInvoice?.payUrl },
    })
    await pass(8)
    expect(await works()).toBe(false)
    expect(await state()).toMatchObject({ status: 'unpaid', products: ['notify'] })
    await expect(client.alert.send({ phone: '12025550100', message: 'hi' })).rejects.toMatchObject({
      code: 'PRODUCT_REQUIRED',
    })
    await payInvoice(server, (await state()).openInvoice?.payUrl, { card: cards.pays })
    await settledPayments(server)
    expect(await state()).toMatchObject({ status: 'active', openInvoice: null, graceEndsAt: null })
    expect(await works()).toBe(true)
    expect(await billingLog(server, { organizationId })).toEqual([
      'checkout_opened by user',
      'subscribed by payments',
      'payment_received by payments',
      'payment_failed by payments',
      'paused by payments',
      'payment_received by payments',
    ])
    const mails = await billingMails(server, { organizationId })
    const counted = ['payment_failed', 'subscription_ended', 'payment_receipt'].map(
      (kind) => mails.filter((one) => one === kind).length,
    )
    expect(counted).toEqual([1, 1, 2])
  })

  it('that waits for the person says so', async () => {
    const { billing } = await subscriber(cards.asksAlways)
    await pass(31.5)
    const { openInvoice } = (await billing.get()).billing
    expect(openInvoice).toMatchObject({ reason: 'authentication_required' })
    await payInvoice(server, openInvoice?.payUrl)
    expect((await billing.refresh()).billing.status).toBe('active')
  })

  it('that stays unpaid can be cancelled at once, and its invoice is void', async () => {
    const { billing } = await subscriber(cards.failsLater)
    await pass(31.5)
    expect((await billing.cancel()).billing).toMatchObject({ status: 'ended', openInvoice: null })
    const [last] = (await billing.invoices({ limit: 1 })).invoices
    expect(last?.status).toBe('void')
    // Paying again begins again.
    const { checkout } = await billing.checkout({ products: ['shop'] })
    expect(checkout.url).toContain('/checkout/')
  })

  it('ends at the provider’s dashboard', async () => {
    const { billing, client, organizationId } = await subscriber(cards.pays)
    await sim(server, `POST payments/organizations/${organizationId}/end`, {})
    await settledPayments(server)
    expect((await billing.get()).billing.status).toBe('ended')
    const held = (await client.organization.get()).organization.products
    expect(held.some(({ state }) => state === 'active')).toBe(false)
  })

  it('refunds and disputes are shown, and change no product', async () => {
    const { billing, organizationId } = await subscriber(cards.pays)
    const [invoice] = (await known(server, { organizationId })).invoices
    await sim(server, `POST payments/invoices/${invoice?.id}/refund`, { amount: 500 })
    await sim(server, `POST payments/invoices/${invoice?.id}/dispute`, {})
    await settledPayments(server)
    const [shown] = (await billing.invoices({})).invoices
    expect(shown).toMatchObject({ refunded: { amount: 500 }, disputed: true })
    expect((await billing.get()).billing.status).toBe('active')
    expect(await billingLog(server, { organizationId })).toEqual(
      expect.arrayContaining(['refunded by payments', 'disputed by payments']),
    )
  })
})

it('the end of a trial is mailed two days before, and when it came', async () => {
  const buyer = await makeBuyer(server)
  await passTime(server, 5.5 * day)
  const { mailTrials } = await import('./clock/trials.ts')
  await mailTrials(server.services)
  expect(await billingMails(server, buyer)).toEqual(['trial_ending'])
  await passTime(server, 2 * day)
  await mailTrials(server.services)
  await mailTrials(server.services)
  expect(await billingMails(server, buyer)).toEqual(['trial_ending', 'trial_ended'])
})
