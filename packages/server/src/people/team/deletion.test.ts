import { describe, expect, it } from 'vitest'
import { restoreOrganization, setProtected } from '#people/organizations/deletion.ts'
import { rows } from '#platform/db/db.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { activityOf, mailsTo, makePerson, newEmail, type Person, password } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { makeNumber, makeNumberKey } from '#testing/make.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'
import { eraseDeleted } from '#upkeep/erasure/erase.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { visitor, makeOwner, invite, joined, verified } = teamsOn(server)
const nameOf = ({ name }: Person) => `${name} Engines`
const dayS = 86_400

/** Makes an owner with a second organization, so that the first one can be deleted alone. */
async function makeOwnerOfTwo(): Promise<Person> {
  const owner = await makeOwner()
  await owner.client.organization.create({ name: 'Second' })
  return owner
}

describe('deleting an organization', () => {
  it('ends its keys, sessions and invitations at once, fails what is queued, and mails the team', async () => {
    const owner = await makeOwnerOfTwo()
    const member = await joined(owner)
    const invited = await invite(owner, newEmail())
    const { organizationId } = owner
    const { apiKey } = await owner.client.account.generateKey()
    const containerId = await makeNumber(server, { organizationId, apiKey, ownerId: owner.userId })
    const numberKey = await makeNumberKey(server, { organizationId, apiKey, ownerId: owner.userId }, containerId)
    const { messageId } = await owner.client.alert.send({ phone: '+12025550100', message: 'queued', containerId })

    const { erasedAfter } = await owner.client.organization.delete({ name: nameOf(owner), password })

    const wait = Date.parse(erasedAfter) - server.services.clock.now().getTime()
    expect(Math.round(wait / 1000 / dayS)).toBe(7)
    for (const credential of [{ token: owner.token }, { token: member.token }, { apiKey }, { apiKey: numberKey }]) {
      const call = server.client(credential).account.limits()
      await expect(call).rejects.toMatchObject({ code: 'AUTH_ERROR', status: 401 })
    }
    await expect(visitor().auth.invitation({ token: invited })).rejects.toMatchObject({ code: 'INVITE_INVALID' })
    const again = visitor().auth.signIn({ email: owner.email, password, organizationId })
    await expect(again).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    await expect(visitor().auth.signIn({ email: member.email, password })).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    const elsewhere = await sessionOf(visitor().auth.signIn({ email: owner.email, password }))
    expect(elsewhere.user.organization.name).toBe('Second')
    for (const { email } of [owner, member]) {
      expect((await mailsTo(server, email)).map(({ kind }) => kind)).toContain('organization_deleted')
    }

    await eraseDeleted(server.services)
    const [message] = await rows(server.db, 'select status, error_code as code from messages where id = :messageId', {
      messageId,
    })
    expect(message).toEqual({ status: 'failed', code: 'CANCELLED' })
    const [number] = await rows(server.db, 'select status, network_id from numbers where id = :containerId', {
      containerId,
    })
    expect(number).toEqual({ status: 'STOPPED', networkId: null })
    expect((await activityOf(server, organizationId)).at(-1)).toMatchObject({
      action: 'organization.deleted',
      actorId: owner.userId,
    })
  })

  it('is taken back by the operator within 7 days: data and members are there, keys and links are not', async () => {
    const owner = await makeOwnerOfTwo()
    const member = await joined(owner)
    const { organizationId } = owner
    const { apiKey } = await owner.client.account.generateKey()
    const containerId = await makeNumber(server, { organizationId, apiKey, ownerId: owner.userId })
    await owner.client.organization.delete({ name: nameOf(owner), password })
    await eraseDeleted(server.services)
    await server.advance(7 * dayS - 60)
    await eraseDeleted(server.services)
    await restoreOrganization(server.db, organizationId, null)
    const session = await sessionOf(visitor().auth.signIn({ email: owner.email, password, organizationId }))
    const client = server.client({ token: session.token })
    expect((await client.team.list()).members.map(({ id }) => id)).toEqual([owner.userId, member.userId])
    expect((await client.numbers.list()).sessions).toMatchObject([{ id: containerId, connected: false }])
    await expect(server.client({ apiKey }).account.limits()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await client.account.generateKey()).apiKey).not.toBe(apiKey)
  })

  it('needs a new owner when the last one deleted their account too', async () => {
    const owner = await makeOwner()
    const member = await joined(owner)
    const { organizationId } = owner
    await owner.client.organization.delete({ name: nameOf(owner), password, deleteAccount: true })
    await expect(visitor().auth.signIn({ email: owner.email, password })).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    await expect(restoreOrganization(server.db, organizationId, null)).rejects.toThrow('Name another one with --owner')
    await expect(restoreOrganization(server.db, organizationId, newEmail())).rejects.toThrow('There is no account')
    await restoreOrganization(server.db, organizationId, member.email)
    const session = await sessionOf(visitor().auth.signIn({ email: member.email, password }))
    expect(session.user.memberRole).toBe('owner')
    await expect(restoreOrganization(server.db, organizationId, null)).rejects.toThrow('is not deleted')
  })

  it('cannot be taken back once the 7 days are over', async () => {
    const owner = await makeOwnerOfTwo()
    await owner.client.organization.delete({ name: nameOf(owner), password })
    await server.advance(7 * dayS)
    const restoring = restoreOrganization(server.db, owner.organizationId, null)
    await expect(restoring).rejects.toThrow('cannot be restored any more')
    await eraseDeleted(server.services)
    await expect(restoreOrganization(server.db, owner.organizationId, null)).rejects.toThrow('There is no organization')
  })

  it('is made once by two requests at once', async () => {
    const owner = await makeOwnerOfTwo()
    const both = await Promise.allSettled(
      [1, 2].map(() => owner.client.organization.delete({ name: nameOf(owner), password })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'AUTH_ERROR' } })
  })
})

/** The other codes have their situations in codes.test.ts. */
const situations: [code: string, situation: string, call: () => Promise<unknown>][] = [
  [
    'VALIDATION_ERROR',
    'another name is typed',
    async () => (await makeOwnerOfTwo()).client.organization.delete({ name: 'olga engines', password }),
  ],
  [
    'NOT_OWNER',
    'an admin deletes the organization',
    async () => {
      const owner = await makeOwnerOfTwo()
      const admin = await joined(owner, 'admin')
      await admin.client.organization.delete({ name: nameOf(owner), password })
    },
  ],
  [
    'TWO_FACTOR_CODE_INVALID',
    'the code is missing',
    async () => {
      const owner = await makeOwnerOfTwo()
      await turnOn(owner.client)
      await owner.client.organization.delete({ name: nameOf(owner), password })
    },
  ],
  [
    'TWO_FACTOR_CODE_INVALID',
    'the code is missing for the account',
    async () => {
      const { client } = await joined(await makeOwner())
      await turnOn(client)
      await client.auth.deleteAccount({ password })
    },
  ],
]

describe('a deletion is refused', () => {
  it.each(situations)('with %s when %s', async (code, _situation, call) => {
    await expect(call()).rejects.toMatchObject({ code })
  })

  it('and names the organizations that are owned', async () => {
    const { client } = await makeOwnerOfTwo()
    const organizations = ['Olga Engines', 'Second']
    await expect(client.auth.deleteAccount({ password })).rejects.toMatchObject({ details: { organizations } })
  })

  it('and protects nothing any more after unprotect', async () => {
    const owner = await makeOwnerOfTwo()
    await setProtected(server.db, owner.organizationId, true)
    await setProtected(server.db, owner.organizationId, false)
    await owner.client.organization.delete({ name: nameOf(owner), password })
  })
})

describe('deleting an account', () => {
  it('ends it at once; the address is free, and the logs keep the id without name and address', async () => {
    const owner = await makeOwner()
    const member = await joined(owner)
    await member.client.auth.deleteAccount({ password })
    await expect(member.client.account.me()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await owner.client.team.list()).members).toHaveLength(1)
    const { entries } = await owner.client.activity.list({ actor: member.userId })
    expect(entries[0]).toMatchObject({
      action: 'account.deleted',
      actor: { id: member.userId, name: 'deleted person' },
    })
    expect(JSON.stringify(await owner.client.activity.list({ limit: 200 }))).not.toContain(member.email)
    const again = await makePerson(server, 'Max', member.email)
    expect(again.userId).not.toBe(member.userId)
  })
})

describe('a person without an organization', () => {
  /** Removes a member from their only organization. */
  async function removed(change?: (person: Person) => Promise<unknown>) {
    const owner = await makeOwner()
    const member = await joined(owner)
    const made = await change?.(member)
    await owner.client.team.remove({ userId: member.userId })
    return { member, made }
  }
  const signUp = (email: string, given: object = {}) =>
    visitor().auth.signUp({ name: 'Max', email, password, organizationName: 'Third', ...given })

  it('cannot sign in, and signs up again with the password of the account', async () => {
    const { member } = await removed()
    await expect(visitor().auth.signIn({ email: member.email, password })).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    const session = await signUp(member.email)
    expect(session.user).toMatchObject({ id: member.userId, memberRole: 'owner', organization: { name: 'Third' } })
    expect((await server.client({ token: session.token }).organization.get()).organization.trial).not.toBeNull()
  })

  it('has no second trial', async () => {
    const ada = await verified()
    const owner = await makeOwner()
    await ada.client.team.acceptInvitation({ token: await invite(owner, ada.email) })
    await ada.client.organization.delete({ name: nameOf(ada), password })
    await owner.client.team.remove({ userId: ada.userId })
    const session = await signUp(ada.email)
    const client = server.client({ token: session.token })
    expect((await client.organization.get()).organization).toMatchObject({ trial: null, products: [] })
    const sending = client.alert.send({ phone: '+12025550100', message: 'hello' })
    await expect(sending).rejects.toMatchObject({ code: 'NO_ACTIVE_PRODUCT' })
  })

  it('gets CONFLICT for a wrong password, which counts like one of a sign-in', async () => {
    const { member } = await removed()
    for (let n = 0; n < 10; n += 1) {
      await expect(signUp(member.email, { password: `wrong password ${n}` })).rejects.toMatchObject({
        code: 'CONFLICT',
      })
    }
    await expect(signUp(member.email)).rejects.toMatchObject({ code: 'TOO_MANY_LOGIN_ATTEMPTS' })
  })

  it('gives the code too while two steps are on', async () => {
    const { member, made } = await removed(({ client }) => turnOn(client))
    const { authenticator } = made as Awaited<ReturnType<typeof turnOn>>
    await expect(signUp(member.email)).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })
    const session = await signUp(member.email, { code: authenticator.code() })
    expect(session.recoveryCodesLeft).toBe(10)
  })

  it('gets CONFLICT while there is an organization', async () => {
    const { email } = await makePerson(server)
    await expect(signUp(email)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'email_taken' } })
  })
})
