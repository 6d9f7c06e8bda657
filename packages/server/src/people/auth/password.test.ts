import { randomBytes } from 'node:crypto'
import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '#api/access/password.ts'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeOrganization } from '#testing/make.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'
import { resetPassword } from './reset-password.ts'

const server = await startTestServer({ worker: false, env: { SIGNUP_PER_HOUR: '0' } })
const visitor = server.client({})
const password = 'a long password'
const newPassword = 'another long password'

function signIn(email: string, given = password) {
  return sessionOf(visitor.auth.signIn({ email, password: given }))
}

async function makePerson() {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const { token, user } = await visitor.auth.signUp({ name: 'Ada', email, password, organizationName: 'Engines' })
  const log = () =>
    rows(
      server.db,
      'select action, actor_kind as actor, subject, details from activity_log where organization_id = :id order by id',
      { id: user.organization.id },
    )
  return { email, userId: user.id, organizationId: user.organization.id, client: server.client({ token }), log }
}

const ended = { code: 'AUTH_ERROR', details: { reason: 'invalid_session' } }

describe('PUT /auth/password', () => {
  it('replaces the password and ends all other sessions of the person', async () => {
    const { email, client, log } = await makePerson()
    const others = [await signIn(email), await signIn(email)]
    const stranger = await makePerson()
    expect(await client.auth.changePassword({ currentPassword: password, newPassword })).toEqual({
      success: true,
      ended: 2,
    })
    expect((await client.account.me()).email).toBe(email)
    expect((await stranger.client.account.me()).email).toBe(stranger.email)
    for (const { token } of others) await expect(server.client({ token }).account.me()).rejects.toMatchObject(ended)
    await expect(signIn(email)).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await signIn(email, newPassword)).user.email).toBe(email)
    const entries = await log()
    const changed = { action: 'password.changed', actor: 'user', subject: null, details: { ended: 2 } }
    expect(entries).toContainEqual(changed)
    expect(JSON.stringify(entries)).not.toContain(newPassword)
  })

  it('is refused with WRONG_PASSWORD for a wrong current password, and changes nothing', async () => {
    const { email, client } = await makePerson()
    const change = client.auth.changePassword({ currentPassword: 'wrong', newPassword })
    await expect(change).rejects.toMatchObject({ code: 'WRONG_PASSWORD', status: 400 })
    expect((await signIn(email)).success).toBe(true)
  })

  it('refuses the name of each organization of the person', async () => {
    const { client } = await makePerson()
    await client.organization.create({ name: 'Second Company' })
    const change = client.auth.changePassword({ currentPassword: password, newPassword: 'second company' })
    await expect(change).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'newPassword' }] })
  })

  it('shares the lock of sign-in, so that a stolen session cannot guess the password', async () => {
    const { email, client } = await makePerson()
    const guess = () => client.auth.changePassword({ currentPassword: 'wrong', newPassword })
    const guesses = Array.from({ length: limits.signIn.wrongPasswords }, guess)
    for (const one of await Promise.allSettled(guesses)) expect(one).toMatchObject({ status: 'rejected' })
    const locked = { code: 'TOO_MANY_LOGIN_ATTEMPTS', status: 429 }
    await expect(client.auth.changePassword({ currentPassword: password, newPassword })).rejects.toMatchObject(locked)
    await expect(signIn(email)).rejects.toMatchObject(locked)
    await server.advance(limits.signIn.lockSeconds + 1)
    expect((await client.auth.changePassword({ currentPassword: password, newPassword })).ended).toBe(0)
  })

  it('lets one of two changes at once win', async () => {
    const { email, client } = await makePerson()
    const passwords = ['the first new one', 'the second new one']
    const changes = await Promise.allSettled(
      passwords.map((one) => client.auth.changePassword({ currentPassword: password, newPassword: one })),
    )
    expect(changes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const winner = passwords[changes.findIndex(({ status }) => status === 'fulfilled')]
    expect((await signIn(email, winner)).success).toBe(true)
  })

  it.each<[string, (email: string) => string]>([
    ['too short', () => 'short'],
    ['longer than 200 characters', () => 'x'.repeat(201)],
    ['the e-mail address', (email) => email.toUpperCase()],
  ])('refuses a new password that is %s', async (_what, make) => {
    const { email, client } = await makePerson()
    const change = client.auth.changePassword({ currentPassword: password, newPassword: make(email) })
    await expect(change).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'newPassword' }] })
  })

  it('is not for an API key', async () => {
    const client = server.client(await makeOrganization(server))
    const change = client.auth.changePassword({ currentPassword: password, newPassword })
    await expect(change).rejects.toMatchObject({ code: 'USER_REQUIRED' })
  })
})

describe('org member password', () => {
  it('sets a generated password, ends all sessions and lifts the lock, also for the owner', async () => {
    const { email, userId, organizationId, client, log } = await makePerson()
    const guesses = Array.from({ length: limits.signIn.wrongPasswords }, () => signIn(email, 'wrong'))
    await Promise.allSettled(guesses)
    const reset = await resetPassword(server.db, organizationId, email)
    expect(reset).toEqual({ email, password: expect.stringMatching(/^\S{16}$/), ended: 1 })
    await expect(client.account.me()).rejects.toMatchObject(ended)
    await expect(signIn(email)).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await signIn(email, reset.password)).user.email).toBe(email)
    const entries = await log()
    expect(entries[1]).toEqual({
      action: 'member.password_reset',
      actor: 'operator',
      subject: userId,
      details: { email, ended: 1 },
    })
    expect(JSON.stringify(entries)).not.toContain(reset.password)
  })

  it('is refused for a person who is not a member', async () => {
    const { organizationId } = await makePerson()
    const other = await makePerson()
    const reset = resetPassword(server.db, organizationId, other.email)
    await expect(reset).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('not a member') })
    expect((await signIn(other.email)).success).toBe(true)
  })
})

describe('a sign-in with the old password', () => {
  it('that is under way while the password is replaced starts no session', async () => {
    const { email, userId } = await makePerson()
    const passwordHash = await hashPassword(newPassword)
    const signingIn = await server.db.transaction(async (trx) => {
      await trx('users').where({ id: userId }).update({ passwordHash })
      await trx('user_tokens').where({ userId }).delete()
      // It compares against the old password and then waits for this transaction.
      const started = signIn(email).then(
        () => 'signed in',
        (error: { code: string }) => error.code,
      )
      await lockWait()
      return { started }
    })
    expect(await signingIn.started).toBe('AUTH_ERROR')
    expect(await server.db('user_tokens').where({ userId })).toEqual([])
  })
})

/** Waits until a session of this database waits for a lock. */
async function lockWait(): Promise<void> {
  await eventually(
    () =>
      rows(
        server.db,
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    (found) => found.length > 0,
  )
}
