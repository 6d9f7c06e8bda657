import { keyForms } from '@msgctl/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { UNSAFE_DISABLE_RATE_LIMIT: 'false' } })
const second = await serveDatabase(server.db, server.databaseUrl, { worker: false })
afterAll(() => second.stop())

const refused = { code: 'AUTH_ERROR', status: 401, details: { reason: 'invalid_api_key' } }

/** An organization that has no key yet. */
async function keyless() {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  await rows(server.db, 'delete from api_keys where organization_id = :organizationId', { organizationId })
  return { organization, owner: server.client({ token: await makeToken(server, organization) }) }
}

describe('GET /me/usage', () => {
  it('counts numbers, streams of both kinds and checks of recipients', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const client = server.client(organization)
    const containerId = await makeNumber(server, organization)
    const full = { containerId, minuteLeft: 12_000, minuteLimit: 12_000, dayLeft: 100_000, dayLimit: 100_000 }
    expect(await client.account.usage()).toEqual({
      success: true,
      changes: {
        limitPerMinute: 300,
        remaining: expect.any(Number),
        retryAfterSeconds: 0,
        resetsAt: expect.any(String),
      },
      trial: null,
      numbers: { used: 1, limit: 3 },
      streams: { events: { open: 0, limit: 20 }, overview: { open: 0, limit: 200 } },
      recipientChecks: { known: 0, numbers: [full] },
    })
    await client.recipients.validate({ phones: ['+12025550100', '+12025550101'], containerId })
    const { recipientChecks } = await client.account.usage()
    expect(recipientChecks.known).toBe(2)
    expect(recipientChecks.numbers[0]?.minuteLeft).toBeGreaterThanOrEqual(11_998)
    await rows(
      server.db,
      `insert into event_streams (id, organization_id, kind, until)
       select gen_random_uuid(), :organizationId, kind, service_now() + ends * interval '1 s'
         from unnest('{events, overview, overview, overview}'::text[], '{60, 60, 60, -1}'::int[]) as s (kind, ends)`,
      { organizationId },
    )
    const { streams } = await client.account.usage()
    expect([streams.events.open, streams.overview.open]).toEqual([1, 2])
  })

  it('has the limits of the day on a real network', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    await rows(server.db, `update numbers set gateway = 'waha' where id = :containerId`, { containerId })
    await rows(
      server.db,
      `insert into recipient_check_budgets (container_id, organization_id, tat, day_tat)
       select id, organization_id, service_now(), service_now() + interval '12 h' from numbers where id = :containerId
       on conflict (container_id) do update set day_tat = excluded.day_tat`,
      { containerId },
    )
    const { recipientChecks } = await server.client(organization).account.usage()
    expect(recipientChecks.numbers).toEqual([
      { containerId, minuteLeft: 60, minuteLimit: 60, dayLeft: 500, dayLimit: 1000 },
    ])
  })
})

describe('GET /me/limits', () => {
  it('shows what is left of the changes, and costs none', async () => {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    const before = await client.account.limits()
    expect(before).toEqual({
      success: true,
      changes: { limitPerMinute: 300, remaining: 300, retryAfterSeconds: 0, resetsAt: expect.any(String) },
      texts: { perNumberPerMinute: 60 },
      campaigns: { perNumberPerMinute: 20, perOrganizationPerMinute: 60, minSpacingSeconds: 3, maxSpacingSeconds: 7 },
      otp: { perOrganizationPerMinute: 60 },
      trial: null,
    })
    await rows(
      server.db,
      `insert into change_limits (organization_id, tat) values (:organizationId, service_now() + interval '30 s')`,
      { organizationId: organization.organizationId },
    )
    const halfway = await client.account.limits()
    expect(halfway.changes?.remaining).toBeGreaterThanOrEqual(150)
    expect(halfway.changes?.remaining).toBeLessThan(250)
    expect(Date.parse(halfway.changes?.resetsAt ?? '')).toBeGreaterThan(Date.parse(before.changes?.resetsAt ?? ''))
  })

  it('says when the next change passes once none is left', async () => {
    const organization = await makeOrganization(server)
    await rows(
      server.db,
      `insert into change_limits (organization_id, tat) values (:organizationId, service_now() + interval '90 s')`,
      { organizationId: organization.organizationId },
    )
    const { changes } = await server.client(organization).account.limits()
    expect(changes).toMatchObject({ remaining: 0 })
    expect(changes?.retryAfterSeconds).toBeGreaterThan(0)
  })

  it('is not for the key of one number', async () => {
    const organization = await makeOrganization(server)
    const number = await makeNumber(server, organization)
    const apiKey = await makeNumberKey(server, organization, number)
    await expect(server.client({ apiKey }).account.limits()).rejects.toMatchObject({ code: 'NUMBER_KEY_SCOPE' })
  })
})

describe('a trial', () => {
  it('is shown with its day, its end and what is used, until a product is granted', async () => {
    const organization = await makeOrganization(server, { products: ['developer'], granted: false })
    await makeNumber(server, organization)
    const client = server.client(organization)
    await client.alert.send({ phone: '12025550100', message: 'on trial' })
    const { trial } = await client.account.me()
    expect(trial).toEqual({ endsAt: expect.any(String), limit: 100, used: 1, resetsAt: expect.any(String) })
    expect(trial?.resetsAt).toMatch(/T00:00:00.000Z$/)
    expect((await client.account.limits()).trial).toEqual(trial)
    await rows(
      server.db,
      `update organization_products set granted_at = service_now() where organization_id = :organizationId`,
      { organizationId: organization.organizationId },
    )
    expect((await client.account.me()).trial).toBeNull()
  })
})

describe('GET /me', () => {
  it('returns the owner for a key, acting as an admin', async () => {
    const organization = await makeOrganization(server)
    const me = await server.client(organization).account.me()
    expect(me).toEqual({
      success: true,
      id: organization.ownerId,
      name: 'Owner',
      email: expect.stringContaining('@example.com'),
      memberRole: 'admin',
      organization: { id: organization.organizationId, name: 'Test', requireTwoFactor: false },
      products: ['notify', 'assistant', 'shop', 'developer', 'connect'],
      features: ['send', 'batch', 'api', 'otp', 'media', 'webhooks', 'campaigns', 'reminders', 'inbox', 'bots'],
      maxNumbers: 3,
      webhookUrl: null,
      hasApiKey: true,
      apiKeyPreview: `${organization.apiKey.slice(0, 10)}...`,
      apiKeyLastUsedAt: expect.any(String),
      trial: null,
      networkWarning: null,
      platformAdmin: false,
    })
  })

  it.each(['owner', 'admin', 'member'] as const)('returns a signed-in %s as themselves', async (role) => {
    const organization = await makeOrganization(server)
    const me = await server.client({ token: await makeToken(server, organization, role) }).account.me()
    expect(me).toMatchObject({ memberRole: role, name: role === 'owner' ? 'Owner' : role })
    expect(me.id === organization.ownerId).toBe(role === 'owner')
  })

  it('shows a key fewer features than a person where the products require more', async () => {
    const organization = await makeOrganization(server, { products: ['notify'] })
    const person = server.client({ token: await makeToken(server, organization) })
    expect((await person.account.me()).features).toEqual(['send', 'batch', 'api', 'campaigns', 'reminders'])
    expect(await server.client(organization).account.me()).toMatchObject({
      features: ['send', 'batch', 'api'],
      maxNumbers: null,
    })
  })

  it('shows where events go', async () => {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    await client.webhook.set({ webhookUrl: 'http://127.0.0.1:9999/hook' })
    expect((await client.account.me()).webhookUrl).toBe('http://127.0.0.1:9999/hook')
  })

  it('is not for a number’s key', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization, { linked: false })
    const own = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    await expect(own.account.me()).rejects.toMatchObject({ code: 'NUMBER_KEY_SCOPE', status: 403 })
  })
})

describe('POST /me/generate-key', () => {
  it('makes the first key, shown once and stored as a hash', async () => {
    const { organization, owner } = await keyless()
    expect(await owner.account.me()).toMatchObject({ hasApiKey: false, apiKeyPreview: null })
    const made = await owner.account.generateKey()
    expect(made).toEqual({
      success: true,
      apiKey: expect.stringMatching(keyForms.account),
      apiKeyPreview: `${made.apiKey.slice(0, 10)}...`,
      warning: 'Store this key now: it is kept hashed and cannot be shown again.',
    })
    expect((await server.client(made).account.me()).id).toBe(organization.ownerId)
    const { organizationId } = organization
    const stored = await rows(
      server.db,
      `select encode(key_hash, 'escape') as hash, k.* from api_keys k where organization_id = :organizationId`,
      { organizationId },
    )
    expect(JSON.stringify(stored)).not.toContain(made.apiKey.slice(10))
    const log = await rows(
      server.db,
      'select action, actor_id, details from activity_log where organization_id = :organizationId',
      { organizationId },
    )
    expect(log).toEqual([
      { action: 'account_key.generated', actorId: organization.ownerId, details: { preview: made.apiKeyPreview } },
    ])
  })

  it('responds with CONFLICT once a key exists, also to the key itself', async () => {
    const organization = await makeOrganization(server)
    const owner = server.client({ token: await makeToken(server, organization) })
    const there = { code: 'CONFLICT', status: 409, details: { reason: 'key_exists' } }
    await expect(owner.account.generateKey()).rejects.toMatchObject(there)
    await expect(server.client(organization).account.generateKey()).rejects.toMatchObject(there)
  })

  it('makes one key, however many callers request it at once', async () => {
    const { owner } = await keyless()
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => owner.account.generateKey()))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is for owners and admins', async () => {
    const { organization } = await keyless()
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    await expect(member.account.generateKey()).rejects.toMatchObject({
      code: 'ROLE_FORBIDDEN',
      details: { roles: ['owner', 'admin'] },
    })
    const admin = server.client({ token: await makeToken(server, organization, 'admin') })
    expect((await admin.account.generateKey()).apiKey).toMatch(keyForms.account)
  })
})

describe('POST /me/regenerate-key', () => {
  it('makes a new key, and the old one is refused at once by every process', async () => {
    const organization = await makeOrganization(server)
    expect((await second.client(organization).account.me()).hasApiKey).toBe(true)
    const next = await server.client(organization).account.regenerateKey()
    expect(next).toEqual({
      success: true,
      apiKey: expect.stringMatching(keyForms.account),
      // It must be true of a first key too, which has replaced none.
      warning: 'Store this key now: it is kept hashed and cannot be shown again. Any earlier key no longer works.',
    })
    await expect(second.client(organization).account.me()).rejects.toMatchObject(refused)
    await expect(server.client(organization).account.me()).rejects.toMatchObject(refused)
    expect(await second.client(next).account.me()).toMatchObject({
      apiKeyPreview: `${next.apiKey.slice(0, 10)}...`,
    })
  })

  it('lets a key request its successor once, however many times at once', async () => {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => client.account.regenerateKey()))
    const made = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.apiKey] : []))
    expect(made).toHaveLength(1)
    expect((await server.client({ apiKey: made[0] ?? '' }).account.me()).hasApiKey).toBe(true)
    const reasons = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const reason of reasons) expect(reason).toMatchObject(refused)
  })

  it('lets a person replace it again and again; the last one works', async () => {
    const { owner } = await keyless()
    const keys = await Promise.all(Array.from({ length: 4 }, () => owner.account.regenerateKey()))
    const works = await Promise.allSettled(keys.map((key) => server.client(key).account.me()))
    expect(works.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('needs an active product', async () => {
    const organization = await makeOrganization(server)
    await rows(server.db, 'update organization_products set paused_at = service_now() where organization_id = :id', {
      id: organization.organizationId,
    })
    await expect(server.client(organization).account.regenerateKey()).rejects.toMatchObject({
      code: 'NO_ACTIVE_PRODUCT',
    })
  })
})
