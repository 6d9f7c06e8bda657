import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { linkTokenTo, mailsTo, makePerson, newEmail, password } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { workOf } from '#testing/features/work.ts'
import { sessionOf } from '#testing/session-of.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { visitor, makeOwner, invite, joined, verified } = teamsOn(server)
const newPassword = 'another long password'
const owners = (organizationId: string) =>
  rows<{ id: string }>(
    server.db,
    `select user_id as id from members where organization_id = :organizationId and role = 'owner'`,
    { organizationId },
  )

/** Counts the statements of this database that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const waiting = await rows(
    server.db,
    `select 1 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return waiting.length
}

describe('an invitation', () => {
  it('is mailed, read without a session, and joined once with a name and a password', async () => {
    const owner = await makeOwner()
    const email = newEmail()
    const { invitation, ...others } = await owner.client.team.invite({ email, role: 'admin' })
    expect(others).toEqual({ success: true })
    const token = await linkTokenTo(server, email, 'join')
    expect(await visitor().auth.invitation({ token })).toEqual({
      success: true,
      organizationName: 'Olga Engines',
      email,
      role: 'admin',
      invitedBy: 'Olga',
      expiresAt: invitation.expiresAt,
      registered: false,
    })
    const session = await sessionOf(visitor().auth.join({ token, name: 'Max', password }))
    expect(session.user).toMatchObject({
      name: 'Max',
      email,
      memberRole: 'admin',
      organization: { id: owner.organizationId },
    })
    const { members, invitations } = await owner.client.team.list()
    expect(members.map(({ role }) => role)).toEqual(['owner', 'admin'])
    expect(invitations).toEqual([])
    await expect(visitor().auth.join({ token, name: 'Max', password })).rejects.toMatchObject({
      code: 'INVITE_INVALID',
    })
    expect((await sessionOf(visitor().auth.signIn({ email, password }))).user.memberRole).toBe('admin')
  })

  it('takes the password of a confirmed account, and keeps its other organization', async () => {
    const [owner, ada] = [await makeOwner(), await verified()]
    const token = await invite(owner, ada.email)
    expect((await visitor().auth.invitation({ token })).registered).toBe(true)
    await expect(visitor().auth.join({ token, password: 'wrong', name: 'Eve' })).rejects.toMatchObject({
      code: 'AUTH_ERROR',
    })
    const session = await sessionOf(visitor().auth.join({ token, password, name: 'Eve' }))
    expect(session.user).toMatchObject({ id: ada.userId, name: 'Ada', organization: { id: owner.organizationId } })
    expect((await ada.client.account.me()).organization.id).toBe(ada.organizationId)
    expect((await ada.client.organization.list()).organizations).toHaveLength(2)
  })

  it('cannot be hijacked by waiting: joining by the mail takes over an account with an unproven address', async () => {
    const [owner, squatter] = [await makeOwner(), await makePerson(server, 'Squatter')]
    const { authenticator } = await turnOn(squatter.client)
    const token = await invite(owner, squatter.email)
    expect((await visitor().auth.invitation({ token })).registered).toBe(false)
    const session = await sessionOf(visitor().auth.join({ token, password: newPassword, name: 'Ada' }))
    expect(session.user.name).toBe('Ada')
    await expect(squatter.client.account.me()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    await expect(visitor().auth.signIn({ email: squatter.email, password })).rejects.toMatchObject({
      code: 'AUTH_ERROR',
    })
    expect((await visitor().auth.signIn({ email: squatter.email, password: newPassword })).twoFactorRequired).toBe(
      false,
    )
    expect(authenticator.code()).toMatch(/^\d{6}$/)
  })

  it('cannot be hijacked by an inviter who saw the link: it always asks for the password of an account', async () => {
    const owner = await makeOwner()
    const victim = await makePerson(server, 'Victim')
    const silent = await serveDatabase(server.db, server.databaseUrl, {
      worker: false,
      env: { SECRETS_KEYS: undefined },
    })
    const inviter = silent.client({ token: owner.token })
    const { link = '' } = await inviter.team.invite({ email: victim.email, role: 'member' })
    const token = link.split('#join=')[1] ?? ''
    const hijack = silent.client({}).auth.join({ token, password: newPassword, name: 'Eve' })
    await expect(hijack).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await victim.client.account.me()).name).toBe('Victim')
    await sessionOf(silent.client({}).auth.join({ token, password }))
    const [account] = await rows(server.db, 'select email_verified_at as at from users where id = :id', {
      id: victim.userId,
    })
    expect(account).toEqual({ at: null })
    // An account that such a link made is not confirmed either.
    const email = newEmail()
    const other = await inviter.team.invite({ email, role: 'member' })
    const fresh = other.link?.split('#join=')[1] ?? ''
    await sessionOf(silent.client({}).auth.join({ token: fresh, password, name: 'Eve' }))
    const made = await rows(server.db, 'select email_verified_at as at from users where email = :email', { email })
    expect(made).toEqual([{ at: null }])
    await silent.stop()
  })

  it('takes the same hashing for an address with and without an account', async () => {
    const [owner, ada] = [await makeOwner(), await verified()]
    const [known, unknown] = [await invite(owner, ada.email), await invite(owner)]
    const join = (token: string) => workOf(server, () => visitor().auth.join({ token, password, name: 'Max' }))
    const wrong = workOf(server, () => visitor().auth.join({ token: known, password: 'wrong', name: 'Max' }))
    expect([(await wrong).hashes, (await join(known)).hashes, (await join(unknown)).hashes]).toEqual([1, 1, 1])
  })

  it('cannot be hijacked by accepting: it is for its address only, which is not revealed', async () => {
    const [owner, eve, ada] = [await makeOwner(), await makePerson(server, 'Eve'), await verified()]
    const token = await invite(owner, ada.email)
    const error = await eve.client.team.acceptInvitation({ token }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVITE_EMAIL_MISMATCH', status: 403 })
    expect(JSON.stringify(error)).not.toContain(ada.email)
    expect(await ada.client.team.acceptInvitation({ token })).toMatchObject({ role: 'member' })
    const switched = await sessionOf(ada.client.auth.switchOrganization({ organizationId: owner.organizationId }))
    expect(switched.user.memberRole).toBe('member')
    await expect(ada.client.account.me()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
  })

  it('is used once by two requests at once', async () => {
    const [owner, ada] = [await makeOwner(), await verified()]
    const token = await invite(owner, ada.email)
    const uses = await Promise.allSettled([
      ada.client.team.acceptInvitation({ token }),
      visitor().auth.join({ token, password }),
    ])
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(uses.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'INVITE_INVALID' } })
  })

  it('lets 60 at once fill a team to exactly 50', async () => {
    const owner = await makeOwner()
    const emails = Array.from({ length: 60 }, newEmail)
    const all = await Promise.allSettled(emails.map((email) => owner.client.team.invite({ email, role: 'member' })))
    const full = all.filter(({ status }) => status === 'rejected')
    expect(full).toHaveLength(60 - (limits.team - 1))
    for (const one of full)
      expect(one).toMatchObject({ reason: { code: 'TEAM_FULL', details: { limit: limits.team } } })
    const { members, invitations } = await owner.client.team.list()
    expect(members.length + invitations.length).toBe(limits.team)
  })

  it('holds no seat once its inviter may not invite any more, since it cannot be cancelled', async () => {
    const owner = await makeOwner()
    const admin = await joined(owner, 'admin')
    await admin.client.team.invite({ email: newEmail(), role: 'member' })
    await owner.client.team.changeRole({ userId: admin.userId, role: 'member' })
    const free = limits.team - 2
    for (let n = 0; n < free; n += 1) await owner.client.team.invite({ email: newEmail(), role: 'member' })
    expect((await owner.client.team.list()).invitations).toHaveLength(free)
    const more = owner.client.team.invite({ email: newEmail(), role: 'member' })
    await expect(more).rejects.toMatchObject({ code: 'TEAM_FULL' })
  })

  it('is limited to 20 a day without a granted product', async () => {
    const trial = await makePerson(server)
    for (let n = 0; n < 20; n += 1) await trial.client.team.invite({ email: newEmail(), role: 'member' })
    const more = trial.client.team.invite({ email: newEmail(), role: 'member' })
    await expect(more).rejects.toMatchObject({ code: 'RATE_LIMIT', details: { retryAfterSeconds: expect.any(Number) } })
  })
})

describe('ownership', () => {
  it('has exactly one owner after two transfers at once', async () => {
    const owner = await makeOwner()
    const heirs = [await joined(owner, 'admin'), await joined(owner)]
    // Both wait for the organization at the same time, so that neither is over before the other begins.
    const lock = await server.db.transaction()
    await lock.raw('select from organizations where id = ? for no key update', [owner.organizationId])
    const transferring = Promise.allSettled(
      heirs.map(({ userId }) => owner.client.organization.transfer({ userId, password })),
    )
    await eventually(waitingForLocks, (waiting) => waiting === heirs.length)
    await lock.commit()
    const transfers = await transferring
    expect(transfers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(transfers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'NOT_OWNER' } })
    const found = await owners(owner.organizationId)
    expect(found).toHaveLength(1)
    expect(heirs.map(({ userId }) => userId)).toContain(found[0]?.id)
    expect((await owner.client.account.me()).memberRole).toBe('admin')
    expect((await mailsTo(server, owner.email)).map(({ kind }) => kind)).toContain('owner_changed')
  })
})

describe('several organizations', () => {
  it('are founded by one person, the first on trial and later ones without products', async () => {
    const ada = await makePerson(server)
    const session = await ada.client.organization.create({ name: 'Second' })
    expect(session.user).toMatchObject({ memberRole: 'owner', organization: { name: 'Second' } })
    const second = server.client({ token: session.token })
    expect((await second.organization.get()).organization).toMatchObject({ name: 'Second', products: [], members: 1 })
    const { ai } = (await ada.client.organization.get()).organization
    expect(ai).toEqual({ limitUsd: 2, usedUsd: 0, renewsAt: null })
    const granted = (await (await makeOwner()).client.organization.get()).organization.ai
    expect(granted).toMatchObject({ limitUsd: 10, usedUsd: 0, renewsAt: expect.stringMatching(/-01T00:00:00.000Z$/) })
    await expect(second.alert.send({ phone: '+12025550100', message: 'hi' })).rejects.toMatchObject({
      code: 'NO_ACTIVE_PRODUCT',
    })
    expect((await ada.client.account.me()).organization.id).toBe(ada.organizationId)
    expect((await sessionOf(visitor().auth.signIn({ email: ada.email, password }))).user.organization.name).toBe(
      'Second',
    )
    const { organizationId, email } = ada
    expect((await sessionOf(visitor().auth.signIn({ email, password, organizationId }))).user.organization.id).toBe(
      organizationId,
    )
  })
})
