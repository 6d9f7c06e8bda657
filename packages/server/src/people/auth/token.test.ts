import { afterAll, describe, expect, it } from 'vitest'
import { changeRole, removeMember } from '#people/organizations/members.ts'
import { setActive } from '#people/organizations/settings.ts'
import { rows } from '#platform/db/db.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { deleteExpiredSignIns } from './attempts.ts'

const server = await startTestServer({ worker: false })
const second = await serveDatabase(server.db, server.databaseUrl, { worker: false })
afterAll(() => second.stop())

const hour = 3600
const day = 24 * hour
const ended = { code: 'AUTH_ERROR', status: 401, details: { reason: 'invalid_session' } }

async function signedIn(role: 'owner' | 'admin' | 'member' = 'owner') {
  const organization = await makeOrganization(server)
  const token = await makeToken(server, organization, role)
  return { organization, token, client: server.client({ token }) }
}

describe('a session token', () => {
  it('ends with its sign-out, in every process, and no other one with it', async () => {
    const { organization, token, client } = await signedIn()
    const other = server.client({ token: await makeToken(server, organization) })
    expect(await client.auth.signOut()).toEqual({ success: true })
    await expect(client.account.me()).rejects.toMatchObject(ended)
    await expect(second.client({ token }).account.me()).rejects.toMatchObject(ended)
    expect((await other.account.me()).memberRole).toBe('owner')
  })

  it('is for a person: a key cannot sign out', async () => {
    const { organization } = await signedIn()
    await expect(server.client(organization).auth.signOut()).rejects.toMatchObject({ code: 'USER_REQUIRED' })
  })

  it('ends after 12 hours without use, and lives on while it is used', async () => {
    const { client } = await signedIn()
    for (let i = 0; i < 3; i++) {
      await server.advance(11 * hour)
      expect((await client.account.me()).memberRole).toBe('owner')
    }
    await server.advance(12 * hour + 60)
    await expect(client.account.me()).rejects.toMatchObject(ended)
  })

  it('ends after 30 days, however much it is used', async () => {
    const { client } = await signedIn()
    for (let i = 0; i < 60; i++) {
      await server.advance(day / 2 - 120)
      await client.account.me()
    }
    await server.advance(2 * hour)
    await expect(client.account.me()).rejects.toMatchObject(ended)
  })

  it('has the role that the person has now', async () => {
    const { organization, client } = await signedIn('member')
    const { email } = await client.account.me()
    await changeRole(server.db, organization.organizationId, email, 'admin')
    expect((await client.account.me()).memberRole).toBe('admin')
  })

  it('ends when the person is taken out of the organization', async () => {
    const { organization, client } = await signedIn('admin')
    const { email } = await client.account.me()
    await removeMember(server.db, organization.organizationId, email)
    await expect(client.account.me()).rejects.toMatchObject(ended)
  })

  it('is shut out while the organization is deactivated', async () => {
    const { organization, client } = await signedIn()
    await setActive(server.db, organization.organizationId, false)
    await expect(client.account.me()).rejects.toMatchObject({ code: 'ACCOUNT_DEACTIVATED', status: 403 })
    await setActive(server.db, organization.organizationId, true)
    expect((await client.account.me()).memberRole).toBe('owner')
  })

  it('is forgotten for good once it is over', async () => {
    const { organization, client } = await signedIn()
    await server.advance(31 * day)
    while ((await deleteExpiredSignIns(server.db)) > 0);
    const left = await rows(server.db, 'select 1 as one from user_tokens where user_id = :ownerId', {
      ownerId: organization.ownerId,
    })
    expect(left).toEqual([])
    await expect(client.account.me()).rejects.toMatchObject(ended)
  })
})
