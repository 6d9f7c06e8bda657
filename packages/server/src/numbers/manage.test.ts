import type { Product } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

async function signedIn(products?: readonly Product[]) {
  const organization = await makeOrganization(server, products ? { products } : {})
  return { organization, owner: server.client({ token: await makeToken(server, organization) }) }
}

async function activityOf(organizationId: string): Promise<string[]> {
  const found = await rows<{ action: string }>(
    server.db,
    'select action from activity_log where organization_id = :organizationId order by id',
    { organizationId },
  )
  return found.map(({ action }) => action)
}

async function buy(organizationId: string, extra: number, days: number): Promise<void> {
  await rows(
    server.db,
    `update organizations set extra_numbers = :extra, extra_expires_at = service_now() + :days * interval '1 day'
      where id = :organizationId`,
    { organizationId, extra, days },
  )
}

describe('POST /session', () => {
  it('adds a number that is STARTING, the first one as the default, and starts it', async () => {
    const { organization, owner } = await signedIn()
    const { session } = await owner.numbers.create({ label: 'Shop' })
    expect(session).toEqual({
      id: expect.any(String),
      instanceName: `number-${session.id}`,
      label: 'Shop',
      phoneNumber: null,
      status: 'STARTING',
      isDefault: true,
      connected: false,
      queueHeld: false,
      me: null,
      hasApiKey: false,
      apiKeyPreview: null,
      apiKeyLastUsedAt: null,
      createdAt: expect.any(String),
    })
    const { organizationId } = organization
    const state = await server.services.gateway.state({ containerId: session.id, organizationId })
    expect(state.status).toBe('SCAN_QR_CODE')
    expect((await owner.numbers.create({ label: 'Second' })).session.isDefault).toBe(false)
    expect(await activityOf(organizationId)).toEqual(['number.created', 'number.created'])
  })

  it('refuses one past the allowance and says what the allowance is', async () => {
    const { organization, owner } = await signedIn(['developer'])
    await buy(organization.organizationId, 1, 30)
    for (const label of ['1', '2', '3', '4']) await owner.numbers.create({ label })
    await expect(owner.numbers.create({ label: '5' })).rejects.toMatchObject({
      code: 'NUMBER_LIMIT_REACHED',
      status: 403,
      details: { max: 4, used: 4, included: 3, extra: 1, capped: true },
    })
  })

  it('never goes past the allowance when many are added at once', async () => {
    const { organization, owner } = await signedIn(['connect'])
    const tries = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => owner.numbers.create({ label: `${i}` })))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const refused = tries.filter((one) => one.status === 'rejected')
    expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['NUMBER_LIMIT_REACHED']))
    const { sessions } = await server.client(organization).numbers.list()
    expect(sessions).toHaveLength(3)
    expect(sessions.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  it('allows none without an active product, and says why', async () => {
    const { organization, owner } = await signedIn(['notify'])
    const { organizationId } = organization
    await rows(
      server.db,
      'update organization_products set paused_at = service_now() where organization_id = :organizationId',
      { organizationId },
    )
    await expect(owner.numbers.create({ label: 'No' })).rejects.toMatchObject({
      code: 'NUMBER_LIMIT_REACHED',
      message: 'Without an active product no number can be added.',
      details: { max: 0, used: 0, included: 0, extra: 0, capped: true },
    })
  })

  it('adds one number however often the same Idempotency-Key comes', async () => {
    const { organization, owner } = await signedIn()
    const options = { idempotencyKey: 'add-1' }
    const first = await owner.numbers.create({ label: 'Once' }, options)
    const second = await owner.numbers.create({ label: 'Once' }, options)
    expect(second).toEqual(first)
    expect((await server.client(organization).numbers.list()).usedSessions).toBe(1)
  })

  it('is for signed-in owners and admins only', async () => {
    const { organization } = await signedIn()
    const admin = server.client({ token: await makeToken(server, organization, 'admin') })
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    await expect(server.client(organization).numbers.create({ label: 'x' })).rejects.toMatchObject({
      code: 'USER_REQUIRED',
    })
    await expect(member.numbers.create({ label: 'x' })).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    expect((await admin.numbers.create({ label: 'x' })).session.label).toBe('x')
  })
})

describe('GET /session/list', () => {
  it.each<[readonly Product[], object]>([
    [['notify'], { maxSessions: null, canCreate: true, allowance: { capped: false, included: 0, extra: 0, over: 0 } }],
    [['shop', 'assistant'], { maxSessions: null, canCreate: true }],
    [
      ['developer'],
      { maxSessions: 5, canCreate: true, allowance: { capped: true, included: 3, extra: 2, max: 5, over: 0 } },
    ],
    [['connect', 'notify'], { maxSessions: 5, canCreate: true, allowance: { capped: true, included: 3, extra: 2 } }],
  ])('shows the allowance of %j, with two numbers bought', async (products, expected) => {
    const { organization } = await signedIn(products)
    await buy(organization.organizationId, 2, 30)
    await makeNumber(server, organization)
    const list = await server.client(organization).numbers.list()
    expect(list).toMatchObject(expected)
    expect(list).toMatchObject({ usedSessions: 1, allowance: { used: 1, extraExpiresAt: expect.any(String) } })
    expect(list).not.toHaveProperty('success')
  })

  it('shows the numbers oldest first, with who is linked and the key’s preview', async () => {
    const { organization } = await signedIn()
    const first = await makeNumber(server, organization, { label: 'First' })
    const second = await makeNumber(server, organization, { label: 'Second', linked: false })
    const key = await makeNumberKey(server, organization, first)
    const { sessions } = await server.client(organization).numbers.list()
    expect(sessions.map(({ id }) => id)).toEqual([first, second])
    expect(sessions[0]).toMatchObject({
      status: 'WORKING',
      connected: true,
      isDefault: true,
      phoneNumber: expect.stringMatching(/^\d+$/),
      me: { id: expect.any(String), pushName: expect.any(String) },
      hasApiKey: true,
      apiKeyPreview: `${key.slice(0, 10)}...`,
    })
    expect(sessions[1]).toMatchObject({ phoneNumber: null, me: null, hasApiKey: false })
  })

  it('counts the numbers over an allowance that ended, which stay', async () => {
    const { organization, owner } = await signedIn(['developer'])
    await buy(organization.organizationId, 1, -1)
    for (let i = 0; i < 3; i++) await makeNumber(server, organization, { linked: false })
    await buy(organization.organizationId, 1, 1)
    await owner.numbers.create({ label: 'Bought' })
    await buy(organization.organizationId, 1, -1)
    expect(await server.client(organization).numbers.list()).toMatchObject({
      usedSessions: 4,
      maxSessions: 3,
      canCreate: false,
      allowance: { extra: 0, max: 3, over: 1 },
    })
  })

  it('allows none once the trial is over, and keeps showing what there is', async () => {
    const organization = await makeOrganization(server, { granted: false, products: ['notify'] })
    await makeNumber(server, organization)
    const list = () => server.client(organization).numbers.list()
    expect(await list()).toMatchObject({ maxSessions: null, canCreate: true })
    await rows(server.db, 'update organizations set trial_ends_at = service_now() where id = :id', {
      id: organization.organizationId,
    })
    expect(await list()).toMatchObject({ maxSessions: 0, canCreate: false, usedSessions: 1, allowance: { over: 1 } })
  })
})

describe('PUT /session/:containerId', () => {
  it('renames a number and makes it the default in place of the other', async () => {
    const { organization, owner } = await signedIn()
    const first = await makeNumber(server, organization, { linked: false })
    const second = await makeNumber(server, organization, { linked: false })
    const { session } = await owner.numbers.update({ containerId: second, label: 'Main', isDefault: true })
    expect(session).toMatchObject({ id: second, label: 'Main', isDefault: true })
    const { sessions } = await owner.numbers.list()
    expect(sessions.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [first, false],
      [second, true],
    ])
    expect(await activityOf(organization.organizationId)).toEqual(['number.changed'])
  })

  it('leaves one default when several are made it at once', async () => {
    const { organization, owner } = await signedIn(['notify'])
    const ids = []
    for (let i = 0; i < 4; i++) ids.push(await makeNumber(server, organization, { linked: false }))
    await Promise.all(ids.map((containerId) => owner.numbers.update({ containerId, isDefault: true })))
    const { sessions } = await owner.numbers.list()
    expect(sessions.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  it('does not know another organization’s number', async () => {
    const [own, other] = [await signedIn(), await signedIn()]
    const containerId = await makeNumber(server, other.organization, { linked: false })
    const unknown = { code: 'NOT_FOUND', message: 'There is no such number.' }
    await expect(own.owner.numbers.update({ containerId, label: 'Mine' })).rejects.toMatchObject(unknown)
    await expect(own.owner.numbers.delete({ containerId })).rejects.toMatchObject(unknown)
    expect((await other.owner.numbers.list()).sessions[0]?.label).toBe('Test')
  })
})
