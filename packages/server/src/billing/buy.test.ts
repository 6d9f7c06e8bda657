import { describe, expect, it } from 'vitest'
import { makeNumber, makeToken } from '#testing/make.ts'
import {
  billingLog,
  billingMails,
  buy,
  cards,
  known,
  makeBuyer,
  payCheckout,
  settledPayments,
} from '#testing/payments/buyer.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { PAYMENTS: 'simulated' } })

describe('buying a plan', () => {
  it('makes its products work, locks the country, and mails one receipt', async () => {
    const buyer = await makeBuyer(server)
    const { client } = buyer
    expect((await client.billing.get()).billing).toMatchObject({ mode: 'simulated', status: 'none', amount: null })
    const { checkout } = await client.billing.checkout({ products: ['notify', 'developer'], extraNumbers: 2 })
    expect((await client.billing.get()).billing.checkout).toEqual(checkout)
    expect(await payCheckout(server, checkout.url, { card: cards.pays, country: 'DE' })).toMatchObject({
      outcome: 'paid',
    })
    await settledPayments(server)
    const { billing } = await client.billing.get()
    expect(billing).toMatchObject({
      status: 'active',
      currency: 'USD',
      period: 'month',
      products: ['notify', 'developer'],
      extraNumbers: 2,
      amount: { amount: 8800, currency: 'USD', text: '88.00 USD' },
      checkout: null,
      card: { brand: 'visa', last4: '4242' },
      country: 'DE',
      countryLocked: true,
    })
    const { organization } = await client.organization.get()
    expect(organization).toMatchObject({ country: 'DE', countryLocked: true, trial: null })
    expect(organization.numbers).toMatchObject({ included: 3, extra: 2, extraExpiresAt: null })
    expect(organization.products.find(({ product }) => product === 'developer')?.state).toBe('active')
    const { invoices } = await client.billing.invoices({})
    expect(invoices).toMatchObject([{ status: 'paid', total: { amount: 8800 }, receipt: true }])
    const { receipt } = await client.billing.receipt({ invoiceId: invoices[0]?.id ?? '' })
    expect(receipt.url).toMatch(/^http/)
    expect(await billingMails(server, buyer)).toEqual(['payment_receipt'])
    expect(await billingLog(server, buyer)).toEqual([
      'checkout_opened by user',
      'subscribed by payments',
      'payment_received by payments',
    ])
  })

  it('leaves the other products of the trial on trial until it ends', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { organization } = await buyer.client.organization.get()
    const states = Object.fromEntries(organization.products.map(({ product, state }) => [product, state]))
    expect(states).toMatchObject({ notify: 'active', shop: 'trial', developer: 'trial' })
  })

  it('returns the same page for the same plan, and closes it for another', async () => {
    const buyer = await makeBuyer(server)
    const first = await buyer.client.billing.checkout({ products: ['notify'] })
    expect(await buyer.client.billing.checkout({ products: ['notify'] })).toEqual(first)
    const second = await buyer.client.billing.checkout({ products: ['shop'] })
    expect(second.checkout.id).not.toBe(first.checkout.id)
    expect(await payCheckout(server, first.checkout.url)).toMatchObject({ outcome: 'expired' })
    const { checkouts, customers } = await known(server, buyer)
    expect(checkouts.filter(({ status }) => status === 'open')).toHaveLength(1)
    expect(customers).toHaveLength(1)
  })

  it('changes nothing while the card is declined', async () => {
    const buyer = await makeBuyer(server)
    const { checkout } = await buyer.client.billing.checkout({ products: ['notify'] })
    expect(await payCheckout(server, checkout.url, { card: cards.declined })).toMatchObject({ outcome: 'declined' })
    expect((await buyer.client.billing.refresh()).billing).toMatchObject({ status: 'none', products: [] })
    expect(await payCheckout(server, checkout.url)).toMatchObject({ outcome: 'paid' })
    expect((await buyer.client.billing.refresh()).billing.status).toBe('active')
  })

  it('refuses a second one, what is granted, and what is not for sale', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    await expect(buyer.client.billing.checkout({ products: ['shop'] })).rejects.toMatchObject({
      code: 'PAYMENT_CHANGE_REFUSED',
      details: { reason: 'already_subscribed' },
    })
    const gifted = await makeBuyer(server, { products: ['shop'], granted: true })
    await expect(gifted.client.billing.checkout({ products: ['notify', 'shop'] })).rejects.toMatchObject({
      code: 'PAYMENT_CHANGE_REFUSED',
      details: { reason: 'granted', products: ['shop'] },
    })
    await expect(gifted.client.billing.checkout({ products: ['notify'], extraNumbers: 1 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'extraNumbers' }],
    })
  })

  it('is for owners and admins alone', async () => {
    const buyer = await makeBuyer(server)
    const member = server.client({ token: await makeToken(server, buyer, 'member') })
    await expect(member.billing.get()).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    await expect(server.client({ apiKey: buyer.apiKey }).billing.get()).rejects.toMatchObject({ code: 'USER_REQUIRED' })
    const admin = server.client({ token: await makeToken(server, buyer, 'admin') })
    expect((await admin.billing.get()).billing.status).toBe('none')
  })

  it('starts a number again that stopped without a product', async () => {
    const buyer = await makeBuyer(server, { granted: false, products: ['notify'] })
    const containerId = await makeNumber(server, buyer)
    await server
      .db('organizations')
      .where({ id: buyer.organizationId })
      .update({ trialEndsAt: new Date(0) })
    const { sweepNumbers } = await import('#numbers/sweep.ts')
    await sweepNumbers(server.services)
    const status = async () => (await buyer.client.numbers.status({ containerId })).status
    expect(await status()).toBe('STOPPED')
    await buy(server, buyer)
    await sweepNumbers(server.services)
    expect(await status()).not.toBe('STOPPED')
  })
})

it('two who buy at once have one customer and one page', async () => {
  const buyer = await makeBuyer(server)
  const admin = server.client({ token: await makeToken(server, buyer, 'admin') })
  const pages = await Promise.all(
    [buyer.client, admin, buyer.client, admin, buyer.client, admin].map((client) =>
      client.billing.checkout({ products: ['notify'] }),
    ),
  )
  expect(new Set(pages.map(({ checkout }) => checkout.id)).size).toBe(1)
  const { customers, checkouts } = await known(server, buyer)
  expect([customers.length, checkouts.length]).toEqual([1, 1])
})

it('the prices are public, in the currency of a country', async () => {
  const prices = await server.client({}).billing.prices({})
  expect(prices).toMatchObject({ currency: 'USD', includedNumbers: 3, extraNumber: { month: { text: '10.00 USD' } } })
  expect(prices.products.find(({ product }) => product === 'notify')).toMatchObject({
    month: { amount: 1900 },
    year: { amount: 19_000 },
  })
})
