import { keyForms } from '@msgctl/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const second = await serveDatabase(server.db, server.databaseUrl, { worker: false })
afterAll(() => second.stop())

async function ground() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization, { linked: false, label: 'Shop' })
  return { organization, client: server.client(organization), containerId }
}

const refused = { code: 'AUTH_ERROR', status: 401, details: { reason: 'invalid_api_key' } }

describe('the key of a number', () => {
  it('is made once and shown once; what is stored is its hash and its beginning', async () => {
    const { client, containerId } = await ground()
    const made = await client.numbers.generateKey({ containerId })
    expect(made).toEqual({
      success: true,
      apiKey: expect.stringMatching(keyForms.number),
      apiKeyPreview: `${made.apiKey.slice(0, 10)}...`,
      containerId,
      label: 'Shop',
      warning: expect.any(String),
    })
    expect((await server.client({ apiKey: made.apiKey }).numbers.status()).containerId).toBe(containerId)
    await expect(client.numbers.generateKey({ containerId })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'key_exists' },
    })
    const stored = await rows(server.db, 'select * from api_keys where container_id = :containerId', { containerId })
    expect(JSON.stringify(stored)).not.toContain(made.apiKey.slice(10))
  })

  it('is replaced, and the old one is refused at once by every process', async () => {
    const { client, containerId } = await ground()
    const { apiKey: old } = await client.numbers.generateKey({ containerId })
    expect((await second.client({ apiKey: old }).numbers.status()).containerId).toBe(containerId)
    const next = await client.numbers.regenerateKey({ containerId })
    expect(next).toMatchObject({ apiKey: expect.stringMatching(keyForms.number), containerId, label: 'Shop' })
    await expect(second.client({ apiKey: old }).numbers.status()).rejects.toMatchObject(refused)
    expect((await second.client({ apiKey: next.apiKey }).numbers.status()).containerId).toBe(containerId)
  })

  it('is one, however many are made or replaced at once', async () => {
    const { client, containerId } = await ground()
    const made = await Promise.allSettled(Array.from({ length: 4 }, () => client.numbers.generateKey({ containerId })))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const replaced = await Promise.all(Array.from({ length: 4 }, () => client.numbers.regenerateKey({ containerId })))
    const works = await Promise.allSettled(replaced.map(({ apiKey }) => server.client({ apiKey }).numbers.status()))
    expect(works.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is deleted, and refused at once by every process', async () => {
    const { client, containerId } = await ground()
    const { apiKey } = await client.numbers.generateKey({ containerId })
    await client.numbers.deleteKey({ containerId })
    await expect(second.client({ apiKey }).numbers.status()).rejects.toMatchObject(refused)
    await expect(client.numbers.deleteKey({ containerId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const unknown = { containerId: crypto.randomUUID() }
    await expect(client.numbers.deleteKey(unknown)).rejects.toMatchObject({ code: 'CONTAINER_NOT_FOUND' })
    await expect(client.numbers.generateKey({ containerId })).resolves.toMatchObject({ success: true })
  })

  it('is listed with its last use, which is written at most once a minute', async () => {
    const { client, containerId } = await ground()
    const { apiKey } = await client.numbers.generateKey({ containerId })
    const used = async () => ({
      number: (await client.numbers.list()).sessions[0]?.apiKeyLastUsedAt,
      account: (await client.account.me()).apiKeyLastUsedAt,
    })
    const before = await used()
    expect(before).toEqual({ number: null, account: expect.any(String) })
    await server.client({ apiKey }).numbers.status()
    const first = await used()
    expect(first).toEqual({ number: expect.any(String), account: before.account })
    await server.client({ apiKey }).numbers.status()
    expect(await used()).toEqual(first)
    await server.advance(61)
    await second.client({ apiKey }).numbers.status()
    const later = await used()
    expect(Date.parse(later.number ?? '') - Date.parse(first.number ?? '')).toBeGreaterThanOrEqual(60_000)
    expect(Date.parse(later.account ?? '') - Date.parse(first.account ?? '')).toBeGreaterThanOrEqual(60_000)
    await client.numbers.regenerateKey({ containerId })
    expect((await used()).number).toBeNull()
  })

  it('is made by owners, admins and the account key, and not by members or by itself', async () => {
    const { organization, client, containerId } = await ground()
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    const admin = server.client({ token: await makeToken(server, organization, 'admin') })
    await expect(member.numbers.generateKey({ containerId })).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    const { apiKey } = await admin.numbers.generateKey({ containerId })
    const own = server.client({ apiKey })
    await expect(own.numbers.regenerateKey({ containerId })).rejects.toMatchObject({ code: 'NUMBER_KEY_SCOPE' })
    expect((await client.numbers.regenerateKey({ containerId })).label).toBe('Shop')
    const log = await rows(
      server.db,
      `select action, actor_kind, subject from activity_log where organization_id = :organizationId order by id`,
      { organizationId: organization.organizationId },
    )
    expect(log).toEqual([
      { action: 'number_key.generated', actorKind: 'user', subject: containerId },
      { action: 'number_key.regenerated', actorKind: 'account_key', subject: containerId },
    ])
  })

  it('is CONTAINER_NOT_FOUND for another organization’s number, in the same words as for none', async () => {
    const [own, other] = [await ground(), await ground()]
    const unknown = { code: 'CONTAINER_NOT_FOUND', status: 404, message: 'There is no such number.' }
    for (const containerId of [other.containerId, crypto.randomUUID()]) {
      await expect(own.client.numbers.generateKey({ containerId })).rejects.toMatchObject(unknown)
      await expect(own.client.numbers.regenerateKey({ containerId })).rejects.toMatchObject(unknown)
    }
  })
})
