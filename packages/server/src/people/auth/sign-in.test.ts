import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '#api/access/password.ts'
import { foundOrganization } from '#people/organizations/create.ts'
import { addMember } from '#people/organizations/members.ts'
import { setActive } from '#people/organizations/settings.ts'
import { transaction } from '#platform/db/db.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer, type TestClient } from '#testing/start-server.ts'
import { comparePassword, limitAddress } from './attempts.ts'
import { signInLimit } from './sign-in.ts'

const server = await startTestServer({ worker: false, safeHashes: true, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const password = 'a long password'
const passwordHash = await hashPassword(password)

function visitor(ip = `10.${[...randomBytes(3)].join('.')}`): TestClient {
  return server.client({ headers: { 'x-forwarded-for': ip } })
}

async function makePerson() {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const founded = await transaction(server.db, (trx) =>
    foundOrganization(trx, {
      organizationName: 'Engines',
      products: ['notify'],
      granted: true,
      owner: { name: 'Ada', email, passwordHash },
    }),
  )
  if (!founded) throw new Error('the e-mail address already has a user')
  return { email, organizationId: founded.organizationId }
}

const wrong = (email: string) => sessionOf(visitor().auth.signIn({ email, password: 'wrong' }))
const locked = { code: 'TOO_MANY_LOGIN_ATTEMPTS', status: 429 }
const refused = { code: 'AUTH_ERROR', status: 401, details: { reason: 'invalid_credentials' } }

/** Uses up tries at a password as so many wrong ones do, without the time that comparing them takes. */
async function useTries(times: number, email: string): Promise<void> {
  for (let i = 0; i < times; i++) await comparePassword(server.db, email, async () => false)
}

/** Uses up what an address may try in the same way. */
async function useAddress(times: number, ip: string): Promise<void> {
  for (let i = 0; i < times; i++) await limitAddress(server.db, ip, signInLimit)
}

describe('POST /auth/sign-in', () => {
  it('returns a token, the user and the organization; the case of the e-mail does not matter', async () => {
    const { email, organizationId } = await makePerson()
    const signedIn = await sessionOf(visitor().auth.signIn({ email: ` ${email.toUpperCase()} `, password }))
    expect(signedIn).toEqual({
      success: true,
      twoFactorRequired: false,
      recoveryCodesLeft: null,
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(String),
      user: {
        id: expect.any(String),
        name: 'Ada',
        email,
        memberRole: 'owner',
        organization: { id: organizationId, name: 'Engines' },
      },
    })
    expect((await server.client(signedIn).account.me()).email).toBe(email)
  })

  it('gives a member the role that was given', async () => {
    const { organizationId } = await makePerson()
    const email = `${randomBytes(6).toString('hex')}@example.com`
    const added = await addMember(server.db, organizationId, { email, name: 'Bob', role: 'member' })
    const { user } = await sessionOf(visitor().auth.signIn({ email, password: added.password ?? '' }))
    expect(user).toMatchObject({ memberRole: 'member', organization: { id: organizationId } })
  })

  it('responds the same to an unknown e-mail and to a wrong password', async () => {
    const { email } = await makePerson()
    const [known, unknown] = await Promise.all([
      wrong(email).catch((error: unknown) => error),
      wrong('nobody@example.com').catch((error: unknown) => error),
    ])
    expect(known).toMatchObject(refused)
    const { message, code, details } = known as { message: string; code: string; details: object }
    expect(unknown).toMatchObject({ message, code, details, status: 401 })
  })

  it('takes for an unknown e-mail the time that a password takes', async () => {
    const { email } = await makePerson()
    async function takesMs(address: string): Promise<number> {
      const began = performance.now()
      await wrong(address).catch(() => undefined)
      return performance.now() - began
    }
    const ratios: number[] = []
    for (let i = 0; i < 5; i++) {
      const knownMs = await takesMs(email)
      ratios.push((await takesMs(`${randomBytes(6).toString('hex')}@example.com`)) / knownMs)
    }
    // Without a comparison an unknown address is answered more than ten times faster, each time.
    expect(Math.max(...ratios)).toBeGreaterThan(1 / 3)
  })

  it('does not count a try that came to no comparison', async () => {
    const { email } = await makePerson()
    await server.db.raw('alter table users rename to users_that_are_away')
    try {
      for (let i = 0; i < 11; i++)
        await expect(sessionOf(visitor().auth.signIn({ email, password }))).rejects.toMatchObject({ status: 500 })
    } finally {
      await server.db.raw('alter table users_that_are_away rename to users')
    }
    expect(await sessionOf(visitor().auth.signIn({ email, password }))).toMatchObject({ success: true })
  })

  it('refuses a deactivated organization with its own code, and only to who knows the password', async () => {
    const { email, organizationId } = await makePerson()
    await setActive(server.db, organizationId, false)
    await expect(wrong(email)).rejects.toMatchObject(refused)
    await useTries(8, email)
    for (let i = 0; i < 3; i++) {
      const right = sessionOf(visitor().auth.signIn({ email, password }))
      await expect(right).rejects.toMatchObject({ code: 'ACCOUNT_DEACTIVATED', status: 403 })
    }
    await setActive(server.db, organizationId, true)
    expect((await sessionOf(visitor().auth.signIn({ email, password }))).success).toBe(true)
  })

  it('accepts 20 attempts in 15 minutes from one address, across all accounts', async () => {
    const { email } = await makePerson()
    const one = visitor('203.0.113.9')
    await useAddress(19, '203.0.113.9')
    expect((await sessionOf(one.auth.signIn({ email, password }))).success).toBe(true)
    await server.advance(300)
    await expect(sessionOf(one.auth.signIn({ email, password }))).rejects.toMatchObject({
      code: 'RATE_LIMIT',
      status: 429,
      details: { retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 540 && seconds <= 600) },
    })
    expect((await sessionOf(visitor().auth.signIn({ email, password }))).success).toBe(true)
    await server.advance(601)
    expect((await sessionOf(one.auth.signIn({ email, password }))).success).toBe(true)
  })

  it('says in Retry-After what it says in the details', async () => {
    const { email } = await makePerson()
    await useAddress(20, '203.0.113.10')
    const response = await fetch(`${server.baseUrl}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.10' },
      body: JSON.stringify({ email, password }),
    })
    const { error } = (await response.json()) as { error: { details: { retryAfterSeconds: number } } }
    expect(response.headers.get('retry-after')).toBe(String(error.details.retryAfterSeconds))
  })
})

describe('wrong passwords', () => {
  it('lock the e-mail after ten, the right password too, for 15 minutes from the tenth on', async () => {
    const { email } = await makePerson()
    await useTries(9, email)
    await server.advance(890)
    await expect(wrong(email)).rejects.toMatchObject(refused)
    await server.advance(890)
    await expect(sessionOf(visitor().auth.signIn({ email, password }))).rejects.toMatchObject({
      ...locked,
      details: { retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 10) },
    })
    await server.advance(11)
    expect((await sessionOf(visitor().auth.signIn({ email, password }))).success).toBe(true)
  })

  it('lock an unknown e-mail alike', async () => {
    const email = `${randomBytes(6).toString('hex')}@example.com`
    await useTries(9, email)
    await expect(wrong(email)).rejects.toMatchObject(refused)
    await expect(wrong(email)).rejects.toMatchObject(locked)
  })

  it('are forgotten with the right one, and when 15 minutes have passed', async () => {
    const { email } = await makePerson()
    await useTries(9, email)
    await sessionOf(visitor().auth.signIn({ email, password }))
    await useTries(9, email)
    await server.advance(901)
    await useTries(9, email)
    expect((await sessionOf(visitor().auth.signIn({ email, password }))).success).toBe(true)
  })

  it('get ten tries in all when guesses come at once', async () => {
    const { email } = await makePerson()
    const tries = await Promise.allSettled(Array.from({ length: 16 }, () => wrong(email)))
    const codes = tries.map((one) => (one.status === 'rejected' ? one.reason.code : 'signed in'))
    expect(codes.filter((code) => code === 'AUTH_ERROR')).toHaveLength(10)
    expect(codes.filter((code) => code === 'TOO_MANY_LOGIN_ATTEMPTS')).toHaveLength(6)
  })

  it('are not prolonged by trying on while locked', async () => {
    const { email } = await makePerson()
    await useTries(10, email)
    await server.advance(800)
    for (let i = 0; i < 3; i++) await expect(wrong(email)).rejects.toMatchObject(locked)
    await server.advance(101)
    expect((await sessionOf(visitor().auth.signIn({ email, password }))).success).toBe(true)
  })
})
