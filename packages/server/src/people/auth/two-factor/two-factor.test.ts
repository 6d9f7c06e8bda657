import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { challengeOf, scan, signInWith, turnOn } from '#testing/features/authenticator.ts'
import { activityOf, linkTokenTo, mailsTo, makePerson, password } from '#testing/features/person.ts'
import { workOf } from '#testing/features/work.ts'
import { sessionOf } from '#testing/session-of.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
let addresses = 0

function visitor() {
  addresses += 1
  return server.client({ headers: { 'x-forwarded-for': `10.3.${addresses >> 8}.${addresses & 255}` } })
}

async function enrolled() {
  const person = await makePerson(server)
  return { ...person, ...(await turnOn(person.client)) }
}

const wrong = (attemptsRemaining: number) => ({
  code: 'TWO_FACTOR_CODE_INVALID',
  details: { reason: 'wrong', attemptsRemaining },
})
const expired = { code: 'TWO_FACTOR_CHALLENGE_EXPIRED' }

describe('two-step sign-in', () => {
  it('is set up, enabled by a code, and ends all other sessions', async () => {
    const person = await makePerson(server)
    const { email, client, organizationId } = person
    const other = server.client(await sessionOf(visitor().auth.signIn({ email, password })))
    const setUp = await client.auth.setUpTwoFactor({ password })
    expect(setUp).toMatchObject({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      image: expect.stringMatching(/^data:image\/png;base64,/),
    })
    const { recoveryCodes } = await client.auth.enableTwoFactor({ code: scan(setUp.otpauthUrl).code() })
    expect(recoveryCodes).toHaveLength(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    await expect(other.account.me()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect(await client.auth.twoFactor()).toMatchObject({ enabled: true, recoveryCodesLeft: 10, requiredBy: [] })
    const [notice] = await mailsTo(server, email)
    expect(notice?.kind).toBe('two_factor_on')
    expect(notice?.text).toContain('your other sessions and your AI connections were ended')
    expect((await activityOf(server, organizationId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['two_factor.set_up', 'two_factor.enabled']),
    )
  })

  it('reveals nothing after the right password, and starts a new session with the code', async () => {
    const person = await enrolled()
    const answer = await visitor().auth.signIn({ email: person.email, password })
    expect(Object.keys(answer).sort()).toEqual(['challenge', 'expiresAt', 'success', 'twoFactorRequired'])
    const challenge = await challengeOf(visitor(), person)
    await expect(server.client({ token: challenge }).account.me()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    const session = await sessionOf(visitor().auth.secondStep({ challenge, code: person.authenticator.code() }))
    expect(session.user.id).toBe(person.userId)
    expect(session.recoveryCodesLeft).toBe(10)
    expect(session.token).not.toBe(challenge)
    await expect(visitor().auth.secondStep({ challenge, code: person.authenticator.code(1) })).rejects.toMatchObject(
      expired,
    )
  })

  it('takes a code once: not again, no earlier one, and once in two requests at once over two processes', async () => {
    const person = await enrolled()
    const code = person.authenticator.code()
    const second = await serveDatabase(server.db, server.databaseUrl, {
      worker: false,
      env: { SECRETS_KEYS: server.services.config.secretsKeys },
    })
    const challenges = await Promise.all([challengeOf(visitor(), person), challengeOf(visitor(), person)])
    const tries = await Promise.allSettled(
      challenges.map((challenge, n) => (n === 0 ? visitor() : second.client({})).auth.secondStep({ challenge, code })),
    )
    await second.stop()
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const again of [code, person.authenticator.code(-1)]) {
      const attempt = visitor().auth.secondStep({ challenge: await challengeOf(visitor(), person), code: again })
      await expect(attempt).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })
    }
    await signInWith(server, visitor(), person, person.authenticator.code(1))
  })

  it('gives five tries for a challenge, and ten for a person, from whatever challenge or address', async () => {
    const person = await enrolled()
    const challenge = await challengeOf(visitor(), person)
    const guess = (of: string) => visitor().auth.secondStep({ challenge: of, code: '000000' })
    for (const left of [4, 3, 2, 1, 0]) await expect(guess(challenge)).rejects.toMatchObject(wrong(left))
    const right = visitor().auth.secondStep({ challenge, code: person.authenticator.code() })
    await expect(right).rejects.toMatchObject(expired)
    const other = await challengeOf(visitor(), person)
    for (const left of [4, 3, 2, 1, 0]) await expect(guess(other)).rejects.toMatchObject(wrong(left))
    const third = await challengeOf(visitor(), person)
    const locked = visitor().auth.secondStep({ challenge: third, code: person.authenticator.code() })
    await expect(locked).rejects.toMatchObject({ code: 'TOO_MANY_LOGIN_ATTEMPTS', details: { retryAfterSeconds: 900 } })
    await server.advance(limits.signIn.lockSeconds + 1)
    await signInWith(server, visitor(), person, person.authenticator.code())
  })

  it('gives ten tries in all when guesses come at once, over several challenges', async () => {
    const person = await enrolled()
    const challenges = await Promise.all([1, 2, 3, 4].map(() => challengeOf(visitor(), person)))
    const guesses = challenges.flatMap((challenge) => Array.from({ length: 5 }, () => challenge))
    const tries = await Promise.allSettled(
      guesses.map((challenge) => visitor().auth.secondStep({ challenge, code: '000000' })),
    )
    const codes = tries.map((one) => (one.status === 'rejected' ? one.reason.code : 'signed in'))
    expect(codes.filter((code) => code === 'TWO_FACTOR_CODE_INVALID')).toHaveLength(10)
    expect(codes.filter((code) => code === 'TOO_MANY_LOGIN_ATTEMPTS')).toHaveLength(10)
  })

  it('compares codes with the clock of the machine, whatever the service clock says', async () => {
    const person = await enrolled()
    await server.advance(3600)
    await signInWith(server, visitor(), person, person.authenticator.code())
  })

  it('expires a challenge after five minutes, and ends it with a new password', async () => {
    const person = await enrolled()
    const late = await challengeOf(visitor(), person)
    await server.advance(301)
    const tooLate = visitor().auth.secondStep({ challenge: late, code: person.authenticator.code() })
    await expect(tooLate).rejects.toMatchObject(expired)
    const challenge = await challengeOf(visitor(), person)
    await visitor().auth.forgotPassword({ email: person.email })
    const token = await linkTokenTo(server, person.email, 'reset')
    await visitor().auth.resetPassword({ token, password: 'another long password' })
    const ended = visitor().auth.secondStep({ challenge, code: person.authenticator.code() })
    await expect(ended).rejects.toMatchObject(expired)
    const again = await visitor().auth.signIn({ email: person.email, password: 'another long password' })
    expect(again.twoFactorRequired).toBe(true)
  })

  it('takes each recovery code once, and counts what is left', async () => {
    const person = await enrolled()
    const [first = '', second = ''] = person.recoveryCodes
    const use = async (recoveryCode: string) =>
      sessionOf(visitor().auth.secondStep({ challenge: await challengeOf(visitor(), person), recoveryCode }))
    expect((await use(first.toUpperCase().replaceAll('-', ' '))).recoveryCodesLeft).toBe(9)
    await expect(use(first)).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })
    const { client } = person
    const renewed = await client.auth.newRecoveryCodes({ password, code: person.authenticator.code() })
    await expect(use(second)).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })
    expect((await use(renewed.recoveryCodes[0] ?? '')).recoveryCodesLeft).toBe(9)
  })

  it('is turned off with password and code, which is mailed', async () => {
    const person = await enrolled()
    const { client, email } = person
    const off = (given: string, code: string) => client.auth.disableTwoFactor({ password: given, code })
    await expect(off('wrong', person.authenticator.code())).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
    await expect(off(password, '000000')).rejects.toMatchObject(wrong(9))
    await off(password, person.authenticator.code())
    expect((await visitor().auth.signIn({ email, password })).twoFactorRequired).toBe(false)
    expect((await mailsTo(server, email)).map(({ kind }) => kind)).toContain('two_factor_off')
  })

  it('does the same work for a known and an unknown address until the second step', async () => {
    const person = await makePerson(server)
    const guess = (email: string) => workOf(server, () => visitor().auth.signIn({ email, password: 'wrong' }))
    expect(await guess(person.email)).toEqual(await guess('stranger@example.com'))
  })

  it('keeps no secret and no recovery code in the clear', async () => {
    const person = await makePerson(server)
    const { secret, otpauthUrl } = await person.client.auth.setUpTwoFactor({ password })
    const { recoveryCodes } = await person.client.auth.enableTwoFactor({ code: scan(otpauthUrl).code() })
    const tables = await rows<{ name: string }>(
      server.db,
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const all = await rows<{ row: string }>(
      server.db,
      tables.map(({ name }) => `select t::text as row from ${name} t`).join(' union all '),
    )
    const text = all.map(({ row }) => row).join('\n')
    for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(text).not.toContain(hidden)
    }
  })
})

describe('an organization that requires two steps', () => {
  it('admits a session with one step only to what turns it on, and keys as before', async () => {
    const { client, organizationId, email } = await makePerson(server)
    const { apiKey } = await client.account.generateKey()
    await rows(server.db, 'update organizations set require_two_factor = true where id = :organizationId', {
      organizationId,
    })
    await expect(client.numbers.list()).rejects.toMatchObject({ code: 'TWO_FACTOR_REQUIRED', status: 403 })
    expect((await client.account.me()).organization.requireTwoFactor).toBe(true)
    expect((await server.client({ apiKey }).numbers.list()).usedSessions).toBe(0)
    const { authenticator } = await turnOn(client)
    expect((await client.numbers.list()).usedSessions).toBe(0)
    const off = client.auth.disableTwoFactor({ password, code: authenticator.code() })
    await expect(off).rejects.toMatchObject({ code: 'TWO_FACTOR_REQUIRED' })
    const again = await signInWith(server, visitor(), { email } as never, authenticator.code())
    expect((await again.numbers.list()).usedSessions).toBe(0)
    expect((await again.auth.twoFactor()).requiredBy).toEqual(['Ada Engines'])
  })
})

describe('two-step sign-in is refused', () => {
  it('after ten minutes of a set-up', async () => {
    const { client } = await makePerson(server)
    const { otpauthUrl } = await client.auth.setUpTwoFactor({ password })
    await server.advance(601)
    const late = client.auth.enableTwoFactor({ code: scan(otpauthUrl).code() })
    await expect(late).rejects.toMatchObject({ code: 'TWO_FACTOR_SETUP_EXPIRED' })
  })

  it('without a code', async () => {
    const step = visitor().auth.secondStep({ challenge: 'made-up' })
    await expect(step).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('by a challenge from before it was turned off', async () => {
    const person = await enrolled()
    const challenge = await challengeOf(visitor(), person)
    await person.client.auth.disableTwoFactor({ password, code: person.authenticator.code() })
    const step = visitor().auth.secondStep({ challenge, code: person.authenticator.code(1) })
    await expect(step).rejects.toMatchObject(expired)
  })
})
