import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { activityOf, linkTokenTo, mailsTo, makePerson, newEmail, password } from '#testing/features/person.ts'
import { workOf } from '#testing/features/work.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({
  worker: false,
  env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://msgctl.example/' },
})
const newPassword = 'another long password'
let addresses = 0

/** Returns a client at an address of its own, so that the limits of one test do not refuse another. */
function visitor() {
  addresses += 1
  return server.client({ headers: { 'x-forwarded-for': `10.1.${addresses >> 8}.${addresses & 255}` } })
}

const signIn = (email: string, given: string) => sessionOf(visitor().auth.signIn({ email, password: given }))
const invalid = { code: 'INVALID_LINK', status: 400 }

/** Requests a link for a new password, and returns its token. */
async function resetToken(email: string): Promise<string> {
  await visitor().auth.forgotPassword({ email })
  return linkTokenTo(server, email, 'reset')
}

describe('a forgotten password', () => {
  it('is set by the link of the mail, which ends all sessions and confirms the address', async () => {
    const { email, client, organizationId, userId } = await makePerson(server)
    const token = await resetToken(email)
    const [mail] = await mailsTo(server, email)
    expect(mail).toMatchObject({ kind: 'reset', subject: 'Set a new password for Msgctl' })
    expect(mail?.text).toContain(`https://msgctl.example/account#reset=${token}`)
    expect(await visitor().auth.resetPassword({ token, password: newPassword })).toEqual({ success: true })
    await expect(client.account.me()).rejects.toMatchObject({ details: { reason: 'invalid_session' } })
    await expect(signIn(email, password)).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await signIn(email, newPassword)).user.id).toBe(userId)
    const found = await rows(server.db, 'select email_verified_at as at from users where id = :userId', { userId })
    expect(found).toEqual([{ at: expect.any(Date) }])
    expect(await activityOf(server, organizationId)).toContainEqual(
      expect.objectContaining({ action: 'password.reset', actorId: userId, details: { ended: 1 } }),
    )
    const [notice] = await mailsTo(server, email)
    expect(notice?.kind).toBe('password_changed')
    expect(notice?.text).toContain('your other sessions and your AI connections were ended')
  })

  it('is not set by a link that was used, replaced, expired or made up, in one wording', async () => {
    const { email } = await makePerson(server)
    const replaced = await resetToken(email)
    const used = await resetToken(email)
    expect(used).not.toBe(replaced)
    const set = (token: string) => visitor().auth.resetPassword({ token, password: newPassword })
    await set(used)
    const expired = await resetToken(email)
    await server.advance(3601)
    const errors = []
    for (const token of [replaced, used, expired, 'made-up']) {
      const error = await set(token).catch((thrown: { code: string; message: string }) => thrown)
      errors.push(error)
      expect(error).toMatchObject(invalid)
    }
    expect(new Set(errors.map((error) => (error as { message: string }).message)).size).toBe(1)
  })

  it('is set once by two uses of a link at once', async () => {
    const { email } = await makePerson(server)
    const token = await resetToken(email)
    const uses = await Promise.allSettled(
      ['the first long one', 'the second long one'].map((one) =>
        visitor().auth.resetPassword({ token, password: one }),
      ),
    )
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(uses.find(({ status }) => status === 'rejected')).toMatchObject({ reason: invalid })
  })

  it('is not the e-mail address, the name or that of an organization, and the link stays usable', async () => {
    const { email, client } = await makePerson(server, 'Ada Lovelace')
    await client.organization.create({ name: 'Second Company' })
    const token = await resetToken(email)
    for (const guess of [email, 'ada lovelace', 'Ada Lovelace Engines', ' second company']) {
      const set = visitor().auth.resetPassword({ token, password: guess })
      await expect(set).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'password' }] })
    }
    await visitor().auth.resetPassword({ token, password: newPassword })
  })

  it('lifts the lock after wrong passwords', async () => {
    const { email } = await makePerson(server)
    await Promise.allSettled(Array.from({ length: limits.signIn.wrongPasswords }, () => signIn(email, 'wrong')))
    await expect(signIn(email, password)).rejects.toMatchObject({ code: 'TOO_MANY_LOGIN_ATTEMPTS' })
    await visitor().auth.resetPassword({ token: await resetToken(email), password: newPassword })
    expect((await signIn(email, newPassword)).user.email).toBe(email)
  })

  it('does not reveal which addresses are known: same response, same work, and no mail to an unknown one', async () => {
    const { email } = await makePerson(server)
    const stranger = newEmail()
    const client = visitor()
    const answers = [await client.auth.forgotPassword({ email }), await client.auth.forgotPassword({ email: stranger })]
    expect(answers[0]).toEqual(answers[1])
    const known = await workOf(server, () => client.auth.forgotPassword({ email }))
    expect(known).toEqual(await workOf(server, () => client.auth.forgotPassword({ email: stranger })))
    expect(known.statements.join('\n')).not.toContain('users')
    expect(await mailsTo(server, stranger)).toEqual([])
    const reset = (token: string) => visitor().auth.resetPassword({ token, password: newPassword })
    const right = await workOf(server, () => linkTokenTo(server, email, 'reset').then(reset))
    const wrong = await workOf(server, () => reset('made-up'))
    expect([right.hashes, wrong.hashes]).toEqual([1, 1])
  })

  it('sends three mails an hour to an address, and responds the same after that', async () => {
    const { email } = await makePerson(server)
    for (let n = 0; n < 5; n += 1) await visitor().auth.forgotPassword({ email })
    const resets = async () => (await mailsTo(server, email)).filter(({ kind }) => kind === 'reset').length
    expect(await resets()).toBe(3)
    await server.advance(3601)
    await visitor().auth.forgotPassword({ email })
    expect(await resets()).toBe(4)
  })

  it.each(['forgotPassword', 'resetPassword', 'verifyEmail'] as const)(
    '%s takes 20 calls in 15 minutes',
    async (name) => {
      const client = visitor()
      const call = () => {
        if (name === 'forgotPassword') return client.auth.forgotPassword({ email: newEmail() })
        if (name === 'resetPassword') return client.auth.resetPassword({ token: 'x', password: newPassword })
        return client.auth.verifyEmail({ token: 'x' })
      }
      for (let n = 0; n < limits.signIn.attemptsPerIp; n += 1) await call().catch(() => undefined)
      await expect(call()).rejects.toMatchObject({
        code: 'RATE_LIMIT',
        details: { retryAfterSeconds: expect.any(Number) },
      })
    },
  )
})

describe('an e-mail address', () => {
  it('is confirmed by the link of the sign-up, once', async () => {
    const { email, userId, organizationId } = await makePerson(server)
    const token = await linkTokenTo(server, email, 'verify')
    await visitor().auth.verifyEmail({ token })
    const found = await rows(server.db, 'select email_verified_at as at from users where id = :userId', { userId })
    expect(found).toEqual([{ at: expect.any(Date) }])
    expect((await activityOf(server, organizationId)).at(-1)).toMatchObject({ action: 'email.verified' })
    await expect(visitor().auth.verifyEmail({ token })).rejects.toMatchObject(invalid)
  })

  it('is not confirmed by a link for a password, nor after 24 hours', async () => {
    const { email } = await makePerson(server)
    const verify = await linkTokenTo(server, email, 'verify')
    await expect(visitor().auth.verifyEmail({ token: await resetToken(email) })).rejects.toMatchObject(invalid)
    await expect(visitor().auth.resetPassword({ token: verify, password: newPassword })).rejects.toMatchObject(invalid)
    await server.advance(24 * 3600 + 1)
    await expect(visitor().auth.verifyEmail({ token: verify })).rejects.toMatchObject(invalid)
  })

  it('gets three mails an hour, the one of the sign-up included', async () => {
    const { client } = await makePerson(server)
    await client.auth.sendVerification()
    await client.auth.sendVerification()
    await expect(client.auth.sendVerification()).rejects.toMatchObject({ code: 'RATE_LIMIT' })
  })
})

describe('an account without a password', () => {
  it('is refused with NO_PASSWORD_SET where its password is required, and gets one by a link', async () => {
    const { email, client, userId } = await makePerson(server)
    await rows(server.db, 'update users set password_hash = null where id = :userId', { userId })
    const change = client.auth.changePassword({ currentPassword: password, newPassword })
    await expect(change).rejects.toMatchObject({ code: 'NO_PASSWORD_SET' })
    await expect(signIn(email, password)).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    await visitor().auth.resetPassword({ token: await resetToken(email), password: newPassword })
    expect((await signIn(email, newPassword)).user.id).toBe(userId)
  })
})

describe('the account page', () => {
  it('loads nothing from elsewhere, and no page can frame it', async () => {
    const page = await fetch(`${server.address}/account`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const html = await page.text()
    expect(html).not.toMatch(/<script(?![^>]* src="account\/assets\/)|<script[^>]*>[^<]|\son\w+=|https?:/)
    const [, src] = /<script[^>]* src="([^"]+)"/.exec(html) ?? []
    const script = await fetch(`${server.address}/${src}`)
    expect(script.headers.get('content-type')).toContain('javascript')
    // The browser refuses a script that writes HTML or makes code of a text.
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'; ")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  })
})
