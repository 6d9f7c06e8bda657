import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makePerson } from '#testing/features/person.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { deleteExpiredActivity } from './list-store.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })

describe('GET /activity', () => {
  it('lists the changes of the organization, the latest first, with their authors and addresses', async () => {
    const ada = await makePerson(server)
    const client = server.client({ token: ada.token, headers: { 'x-forwarded-for': '192.0.2.7' } })
    await client.account.generateKey()
    const { entries, nextCursor } = await client.activity.list()
    expect(nextCursor).toBeNull()
    expect(entries.map(({ action }) => action)).toEqual(['account_key.generated', 'organization.signed_up'])
    expect(entries[0]).toMatchObject({
      actor: { kind: 'user', id: ada.userId, name: 'Ada' },
      subject: null,
      ip: '192.0.2.7',
      details: { preview: expect.stringContaining('msk_') },
    })
  })

  it('filters by action, area, author, subject and time, and has pages', async () => {
    const ada = await makePerson(server)
    const { client } = ada
    const { session } = await client.numbers.create({ label: 'One' })
    await client.numbers.update({ containerId: session.id, label: 'Two' })
    await server.advance(60)
    const before = server.services.clock.now().toISOString()
    await server.advance(60)
    await client.account.generateKey()
    const actions = async (query: object) => (await client.activity.list(query)).entries.map(({ action }) => action)
    expect(await actions({ action: 'account_key.generated' })).toEqual(['account_key.generated'])
    expect(await actions({ action: 'account_key' })).toEqual(['account_key.generated'])
    expect(await actions({ subject: session.id })).toHaveLength(2)
    expect(await actions({ actor: ada.userId })).toHaveLength(4)
    expect(await actions({ actor: 'operator' })).toEqual([])
    expect(await actions({ from: before })).toEqual(['account_key.generated'])
    expect(await actions({ to: before })).toHaveLength(3)
    const all = []
    for await (const entry of client.activity.list.all({ limit: 1 })) all.push(entry.id)
    expect(all).toHaveLength(4)
    await expect(client.activity.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('is for owners, admins and the account key, and shows nothing of another organization', async () => {
    const organization = await makeOrganization(server)
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    await expect(member.activity.list()).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    await makePerson(server)
    expect((await server.client({ apiKey: organization.apiKey }).activity.list()).entries).toEqual([])
  })
})

describe('the log', () => {
  it('can be changed and deleted by no statement, and loses only what is older than 400 days', async () => {
    const { organizationId, client } = await makePerson(server)
    const change = rows(server.db, `update activity_log set action = 'x' where organization_id = :id`, {
      id: organizationId,
    })
    await expect(change).rejects.toThrow('append-only')
    const remove = rows(server.db, 'delete from activity_log where organization_id = :id', { id: organizationId })
    await expect(remove).rejects.toThrow('append-only')
    await server.advance(401 * 86_400)
    await server.client(await makeOrganization(server)).account.regenerateKey()
    expect(await deleteExpiredActivity(server.db, 400)).toBeGreaterThan(0)
    const left = await rows<{ action: string }>(server.db, 'select action from activity_log')
    expect(left).toEqual([{ action: 'account_key.regenerated' }])
    await expect(client.activity.list()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
  })
})
