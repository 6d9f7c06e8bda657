import { describe, expect, it } from 'vitest'
import { billingLog, buy, makeBuyer, payCheckout, settledPayments } from '#testing/payments/buyer.ts'
import { makeStaff } from '#testing/payments/staff.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { PAYMENTS: 'simulated' } })
const staff = await makeStaff(server)
const { platform } = staff.client
const reason = 'Asked on the phone'

describe('staff and what is paid', () => {
  it('see the plan, its money, and all of it together', async () => {
    const before = (await platform.billing()).billing
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { organizationId } = buyer
    const { organization } = await platform.organization({ organizationId })
    expect(organization.products).toContainEqual(expect.objectContaining({ product: 'notify', source: 'paid' }))
    expect(organization.billing).toMatchObject({ status: 'active', period: 'month', amount: { text: '19.00 USD' } })
    expect(organization.customerUrl).toBeNull()
    const { billing } = await platform.billing()
    expect(billing.mode).toBe('simulated')
    expect(billing.subscriptions.active).toBe(before.subscriptions.active + 1)
    expect(billing.monthlyRecurring[0]?.amount).toBe((before.monthlyRecurring[0]?.amount ?? 0) + 1900)
    const { organizations } = await platform.organizations({ billing: 'active' })
    expect(organizations.map(({ id }) => id)).toContain(organizationId)
  })

  it('cannot put a payer on trial, and what is revoked stays paid', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { organizationId } = buyer
    const endsAt = new Date(server.services.clock.now().getTime() + 86_400_000).toISOString()
    const refused = { code: 'FORBIDDEN_ACTION', details: { reason: 'not_on_trial' } }
    await expect(platform.setTrial({ organizationId, endsAt, reason })).rejects.toMatchObject(refused)
    await platform.setProducts({ organizationId, revoke: ['notify'], reason })
    expect((await buyer.client.account.me()).products).toContain('notify')
  })

  it('read the provider where its report was lost', async () => {
    const buyer = await makeBuyer(server)
    const { organizationId } = buyer
    const { checkout } = await buyer.client.billing.checkout({ products: ['notify'] })
    await payCheckout(server, checkout.url)
    const { organization } = await platform.refresh({ organizationId, reason })
    expect(organization.billing.status).toBe('active')
    const { entries } = await platform.activity({ organizationId })
    expect(entries).toMatchObject([{ action: 'admin.refreshed', details: { reason } }])
  })

  it('end a subscription with the deactivation, only where they want that', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { organizationId } = buyer
    const statusOf = async () => (await platform.organization({ organizationId })).organization.billing.status
    await platform.deactivate({ organizationId, reason })
    await settledPayments(server)
    expect(await statusOf()).toBe('active')
    await platform.deactivate({ organizationId, reason, endSubscription: true })
    // A job ends it: no request waits for the provider.
    await server.advance(61)
    await settledPayments(server)
    expect(await statusOf()).toBe('ended')
    expect(await billingLog(server, buyer)).toContainEqual(expect.stringMatching(/^ended by/))
  })
})
