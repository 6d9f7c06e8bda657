import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { serveDatabase, startTestServer, type TestClient } from '#testing/start-server.ts'

const env = { TRUSTED_PROXIES: '127.0.0.1', SIGNUP_PER_HOUR: '2' }
const server = await startTestServer({ worker: false, safeHashes: true, env })

/** Returns a client without credentials. `ip` is its address (default: a random one). */
function visitor(ip = `10.${[...randomBytes(3)].join('.')}`, baseUrl = server.baseUrl): TestClient {
  return server.client({ baseUrl, headers: { 'x-forwarded-for': ip } })
}

function person() {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  return { name: 'Ada', email, password: 'a long password', organizationName: 'Engines' }
}

describe('POST /auth/sign-up', () => {
  it('makes a person and an organization on a 7-day trial of the products, and signs the person in', async () => {
    const ada = person()
    const before = server.services.clock.now().getTime()
    const { token, expiresAt, user, success } = await visitor().auth.signUp(ada)
    expect(success).toBe(true)
    expect(user).toEqual({
      id: expect.any(String),
      name: 'Ada',
      email: ada.email,
      memberRole: 'owner',
      organization: { id: expect.any(String), name: 'Engines' },
    })
    const days = (Date.parse(expiresAt) - before) / 86_400_000
    expect(days).toBeGreaterThan(29.99)
    expect(days).toBeLessThan(30.01)
    expect(await server.client({ token }).account.me()).toMatchObject({
      id: user.id,
      memberRole: 'owner',
      products: ['notify', 'assistant', 'shop', 'developer', 'connect'],
      hasApiKey: false,
    })
    const [organization] = await rows<{ days: number }>(
      server.db,
      `select extract(epoch from trial_ends_at - created_at)::int / 86400 as days from organizations where id = :id`,
      { id: user.organization.id },
    )
    expect(organization).toEqual({ days: 7 })
    const log = await rows(
      server.db,
      'select action, actor_kind, actor_id from activity_log where organization_id = :id',
      { id: user.organization.id },
    )
    expect(log).toEqual([{ action: 'organization.signed_up', actorKind: 'user', actorId: user.id }])
  })

  it('stores neither the password nor the token as they are', async () => {
    const ada = person()
    const { token, user } = await visitor().auth.signUp(ada)
    const [stored] = await rows<{ hash: string }>(
      server.db,
      'select password_hash as hash from users where id = :id',
      user,
    )
    expect(stored?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const tokens = await rows(
      server.db,
      `select encode(token_hash, 'escape') from user_tokens where user_id = :id`,
      user,
    )
    expect(JSON.stringify(tokens)).not.toContain(token)
  })

  it('starts the trial with the chosen products only', async () => {
    const { token } = await visitor().auth.signUp({ ...person(), products: ['notify', 'connect'] })
    expect((await server.client({ token }).account.me()).products).toEqual(['notify', 'connect'])
  })

  it('ends with the product paused after 7 days, and deletes nothing', async () => {
    const { token, user } = await visitor().auth.signUp({ ...person(), products: ['developer'] })
    const client = server.client({ token })
    await rows(server.db, 'update organizations set trial_ends_at = service_now() where id = :id', {
      id: user.organization.id,
    })
    expect(await client.account.me()).toMatchObject({ products: [], features: [], maxNumbers: 0 })
    await expect(client.account.generateKey()).rejects.toMatchObject({
      code: 'PRODUCT_REQUIRED',
      details: { products: ['notify', 'assistant', 'shop', 'developer', 'connect'] },
    })
  })

  it('refuses an e-mail that is known, whatever its case', async () => {
    const ada = person()
    await visitor().auth.signUp(ada)
    const again = visitor().auth.signUp({ ...person(), email: ada.email.toUpperCase() })
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT', status: 409, details: { reason: 'email_taken' } })
  })

  it('makes one of two that sign up with one e-mail at once, and leaves nothing of the other', async () => {
    const ada = { ...person(), organizationName: 'Twice' }
    const tries = await Promise.allSettled([visitor().auth.signUp(ada), visitor().auth.signUp(ada)])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await rows(server.db, `select 1 as one from organizations where name = 'Twice'`)).toHaveLength(1)
  })

  it.each([
    ['password', { password: 'too short' }],
    ['password', { password: 'x'.repeat(201) }],
    ['email', { email: 'nobody' }],
    ['organizationName', { organizationName: '' }],
    ['products.1', { products: ['notify', 'mail'] as never }],
  ])('refuses a %s out of bounds', async (field, wrong) => {
    await expect(visitor().auth.signUp({ ...person(), ...wrong })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field }],
    })
  })

  it('takes so many an hour from one address, and says when it takes the next', async () => {
    const one = visitor('203.0.113.7')
    await one.auth.signUp(person())
    await one.auth.signUp(person())
    await server.advance(600)
    await expect(one.auth.signUp(person())).rejects.toMatchObject({
      code: 'RATE_LIMIT',
      status: 429,
      details: { retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 2900 && seconds <= 3000) },
      retryAfterMs: expect.any(Number),
    })
    await visitor('203.0.113.8').auth.signUp(person())
    await server.advance(3001)
    expect((await one.auth.signUp(person())).success).toBe(true)
  })

  it('responds with SIGNUP_DISABLED where sign-up is closed, and stores nothing', async () => {
    const closed = await serveDatabase(server.db, server.databaseUrl, { worker: false, env: { SIGNUP: 'closed' } })
    const ada = person()
    const signUp = visitor(undefined, closed.baseUrl).auth.signUp(ada)
    await expect(signUp).rejects.toMatchObject({ code: 'SIGNUP_DISABLED', status: 403 })
    await closed.stop()
    expect(await rows(server.db, 'select 1 as one from users where email = :email', { email: ada.email })).toEqual([])
  })
})
