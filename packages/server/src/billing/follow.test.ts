import { describe, expect, it } from 'vitest'
import { restoreOrganization } from '#people/organizations/deletion.ts'
import { putMember } from '#people/organizations/store.ts'
import { endOrganization } from '#people/team/end-organization.ts'
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
