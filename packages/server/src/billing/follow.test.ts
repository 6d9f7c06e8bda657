import { describe, expect, it } from 'vitest'
import { loadStripe } from '#billing/payments/sdk/load.ts'
import { simulatedFetch } from '#billing/payments/simulator/http/fetch.ts'
import { paySimOf } from '#billing/payments/simulator/of-services.ts'
import { restoreOrganization } from '#people/organizations/deletion.ts'
import { putMember } from '#people/organizations/store.ts'
import { endOrganization } from '#people/team/end-organization.ts'
import { onCrashPoint } from '#platform/crash-points.ts'
import { rows, transaction } from '#platform/db/db.ts'
import {
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
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({
  env: { PAYMENTS: 'simulated', PRICES_FILE: new URL('../testing/payments/prices.json', import.meta.url).pathname },
})

const payments = paySimOf(server.services)
if (!payments) throw new Error('payments are not simulated')
const stripe = await loadStripe({ secretKey: 'sk_test_follow', timeoutSeconds: 10, fetch: simulatedFetch(payments) })
const operator = { kind: 'operator', id: null } as const

// The first of the file: everything else that is bought here would renew, too.
it('a clock that jumps over fourteen months renews each month, once', async () => {
  const buyer = await makeBuyer(server)
  await buy(server, buyer, { products: ['notify'] }, cards.pays)
  await passTime(server, 427 * 86_400)
  await settledPayments(server)
  const { charges, invoices } = await known(server, buyer)
  expect(charges).toHaveLength(15)
  expect(invoices.filter(({ status }) => status === 'paid')).toHaveLength(15)
  await sim(server, `POST payments/organizations/${buyer.organizationId}/end`, {})
  await settledPayments(server)
})

describe('the country', () => {
  it('chooses the currency, and is fixed by the first payment', async () => {
    const buyer = await makeBuyer(server)
    const { organization, billing } = buyer.client
    expect((await organization.update({ country: 'jp' })).organization).toMatchObject({
      country: 'JP',
      countryLocked: false,
    })
    expect((await billing.get()).billing.currency).toBe('JPY')
    await buy(server, buyer)
    expect((await billing.get()).billing).toMatchObject({ amount: { amount: 2900, text: '2900 JPY' }, country: 'JP' })
    await expect(organization.update({ country: 'DE', name: 'Another' })).rejects.toMatchObject({
      code: 'COUNTRY_LOCKED',
      details: { country: 'JP' },
    })
    const { organization: after } = await organization.get()
    expect([after.country, after.name]).toEqual(['JP', 'Test'])
    expect((await organization.update({ country: 'JP', name: 'Another' })).organization.name).toBe('Another')
  })

  it('that is no country is refused', async () => {
    const { client } = await makeBuyer(server)
    await expect(client.organization.update({ country: 'XX' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await client.organization.update({ country: null })).organization.country).toBeNull()
  })

  it('closes an open page in another currency when it changes', async () => {
    const buyer = await makeBuyer(server)
    const { checkout } = await buyer.client.billing.checkout({ products: ['notify'] })
    await buyer.client.organization.update({ country: 'KW' })
    await settledPayments(server)
    expect(await payCheckout(server, checkout.url)).toMatchObject({ outcome: 'expired' })
    const { billing } = await buyer.client.billing.get()
    expect(billing).toMatchObject({ checkout: null, currency: 'KWD' })
    await buy(server, buyer)
    expect((await buyer.client.billing.get()).billing.amount).toMatchObject({ amount: 5900, text: '5.900 KWD' })
  })
})

describe('the provider learns', () => {
  it('of a new owner', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const next = await makeBuyer(server)
    await transaction(server.db, async (trx) => {
      await putMember(trx, buyer.organizationId, buyer.ownerId, 'admin')
      await putMember(trx, buyer.organizationId, next.ownerId, 'owner')
    })
    await passTime(server, 20)
    await settledPayments(server)
    const [person] = await rows<{ email: string }>(server.db, 'select email from users where id = :id', {
      id: next.ownerId,
    })
    expect((await known(server, buyer)).customers[0]?.email).toBe(person?.email)
  })

  it('of a new name in any script, and keeps an e-mail that was chosen on its page', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const [customer] = (await known(server, buyer)).customers
    const name = 'Joe’s Кафе 🎉'
    await buyer.client.organization.update({ name })
    await settledPayments(server)
    expect((await known(server, buyer)).customers[0]).toMatchObject({ name, email: customer?.email })
    await stripe.customers.update(customer?.id ?? '', { email: 'books@example.com' })
    await buyer.client.organization.update({ name: 'Café' })
    await settledPayments(server)
    expect((await known(server, buyer)).customers[0]).toMatchObject({ name: 'Café', email: 'books@example.com' })
  })

  it('of a deletion while a change of the plan is under way', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const deleted = { current: undefined as Promise<unknown> | undefined }
    const off = onCrashPoint((point) => {
      if (point !== 'billing.refresh-before-commit') return
      deleted.current ??= transaction(server.db, (trx) =>
        endOrganization(trx, buyer.organizationId, { userId: buyer.ownerId, actor: operator }),
      )
    })
    await buyer.client.billing.setPlan({ products: ['notify', 'shop'] }).catch(() => undefined)
    off()
    await deleted.current
    await passTime(server, 20)
    await settledPayments(server)
    const { subscriptions } = await known(server, buyer)
    expect(subscriptions.map(({ status }) => status)).toEqual(['canceled'])
  })

  it('of a deletion, also when it does not respond at first; a restored organization has no subscription', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    await fault(server, buyer, { calls: 'refused' })
    await transaction(server.db, (trx) =>
      endOrganization(trx, buyer.organizationId, { userId: buyer.ownerId, actor: operator }),
    )
    await passTime(server, 20)
    const status = async () => (await known(server, buyer)).subscriptions[0]?.status
    expect(await status()).toBe('active')
    await healed(server, buyer)
    await passTime(server, 120)
    await settledPayments(server)
    expect(await status()).toBe('canceled')
    await restoreOrganization(server.db, buyer.organizationId, null)
    const [account] = await rows<{ status: string; customerId: string | null }>(
      server.db,
      'select status, customer_id from billing_accounts where organization_id = :organizationId',
      { ...buyer },
    )
    expect(account).toMatchObject({ status: 'ended', customerId: expect.stringContaining('cus_') })
  })
})
