import { describe, expect, it } from 'vitest'
import { makePerson } from '#testing/features/person.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { makeStaff } from '#testing/payments/staff.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const staff = await makeStaff(server)
const { platform } = staff.client
const reason = 'Asked on the phone'

describe('the list of organizations', () => {
  it('has all of the service, newest first, page by page', async () => {
    const made = []
    for (let n = 0; n < 3; n++) made.unshift((await makeOrganization(server)).organizationId)
    const pages = []
    for await (const { id } of platform.organizations.all({ limit: 2 })) pages.push(id)
    expect(pages.slice(0, 3)).toEqual(made)
    expect(pages.at(-1)).toBe(staff.organizationId)
    expect(new Set(pages).size).toBe(pages.length)
  })

  it('is searched by name, e-mail of the owner, id, state, product and plan', async () => {
    const person = await makePerson(server, '100%_Zoë')
    const found = async (filter: Parameters<typeof platform.organizations>[0]) =>
      (await platform.organizations(filter)).organizations.map(({ id }) => id)
    const own = [person.organizationId]
    expect(await found({ search: '0%_zoë eng' })).toEqual(own)
    expect(await found({ search: '0%zoë' })).toEqual([])
    expect(await found({ search: person.email.slice(2, 14).toUpperCase() })).toEqual(own)
    expect(await found({ search: person.organizationId.toUpperCase() })).toEqual(own)
    await platform.deactivate({ organizationId: person.organizationId, reason })
    expect(await found({ state: 'deactivated' })).toEqual(own)
    expect(await found({ state: 'active' })).not.toContain(person.organizationId)
    expect(await found({ billing: 'none', search: person.email })).toEqual(own)
    expect(await found({ billing: 'active' })).toEqual([])
    const { organizationId } = await makeOrganization(server, { products: ['assistant'] })
    expect((await found({ product: 'assistant' }))[0]).toBe(organizationId)
    expect(await found({ product: 'shop' })).not.toContain(organizationId)
  })
})

describe('the details of an organization', () => {
  it('are people, counts and states: no text, phone or code', async () => {
    const organization = await makeOrganization(server)
    const { organizationId, apiKey, ownerId } = organization
    const containerId = await makeNumber(server, organization)
    await server.client({ apiKey }).alert.send({ phone: '+12025550163', message: 'A secret text', containerId })
    const shown = (await platform.organization({ organizationId })).organization
    expect(shown).toMatchObject({
      id: organizationId,
      state: 'active',
      platformAdmin: false,
      owner: { id: ownerId },
      people: [{ id: ownerId, role: 'owner', twoFactorEnabled: false, lastSeenAt: null }],
      numbers: { used: 1, included: 3 },
      numberStatuses: { WORKING: 1, FAILED: 0 },
      messagesLast30Days: 1,
      deactivatedReason: null,
      customerUrl: null,
      billing: { status: 'none', period: null, currentPeriodEnd: null, amount: null },
    })
    expect(JSON.stringify(shown)).not.toMatch(/2025550163|secret|2025560/)
  })
})

describe('what the staff did', () => {
  it('is listed with who and why, for all or for one organization', async () => {
    const { organizationId } = await makeOrganization(server)
    const other = await makeOrganization(server)
    await platform.setProducts({ organizationId, revoke: ['shop'], reason })
    await platform.setProducts({ organizationId: other.organizationId, revoke: ['shop'], reason: 'another' })
    await platform.activate({ organizationId, reason })
    const { entries } = await platform.activity({ organizationId })
    expect(entries).toMatchObject([
      { action: 'admin.activated', organization: { id: organizationId, name: 'Test' } },
      {
        action: 'admin.revoked',
        actor: { id: staff.userId, name: 'Grace', email: staff.email },
        details: { products: ['shop'], reason },
        ip: expect.stringMatching(/\d/),
      },
    ])
    const all = []
    for await (const { id } of platform.activity.all({ limit: 1 })) all.push(Number(id))
    expect(all.length).toBeGreaterThanOrEqual(3)
    expect(all).toEqual(all.toSorted((a, b) => b - a))
  })

  it('is not what members of the staff do in their own organization', async () => {
    await staff.client.organization.update({ name: 'Renamed' })
    const { entries } = await platform.activity()
    expect(entries.filter(({ action }) => !action.startsWith('admin.'))).toEqual([])
  })
})

describe('figures', () => {
  it('are there without payments too', async () => {
    await makePerson(server)
    const { billing } = await platform.billing()
    expect(billing).toMatchObject({
      mode: 'off',
      subscriptions: { active: 0, past_due: 0, unpaid: 0, ended: 0 },
      monthlyRecurring: [],
      eventsWaiting: 0,
      operationsOpen: 0,
    })
    expect(billing.trials).toBeGreaterThan(0)
  })
})
