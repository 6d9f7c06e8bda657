import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type Answer, call, type Sent } from './call.ts'
import { goodInput } from './good-input.ts'
import { mountedAs } from './mounted.ts'
import { makeOtherTenant } from './other-tenant.ts'

const server = await startTestServer({
  worker: false,
  env: { UNSAFE_DISABLE_RATE_LIMIT: 'false', SIGNUP_PER_HOUR: '3', TRUSTED_PROXIES: '127.0.0.1' },
})
// Whatever is waited for here passes only when the test says so.
await server.services.clock.freeze()

/** The wait that a response reports, which `call` has compared with Retry-After. */
function reportedWait({ status, error, headers }: Answer) {
  return { status, code: error?.code, details: error?.details, retryAfter: headers.get('retry-after') }
}

function from(address: string, sent: Sent): Sent {
  return { ...sent, headers: { 'x-forwarded-for': address } }
}

describe('the changes of an organization', () => {
  it('are 300 a minute, shared by all its keys, and the next response has the time to wait', async () => {
    const { apiKey, owner, numberKey } = await makeOtherTenant(server)
    const { owner: other } = await makeOtherTenant(server)
    const send = mountedAs('alert.send')
    // A change counts before its body is read, so that broken ones are limited too.
    const change = (headers: Readonly<Record<string, string>>) => call(server, send, { body: '{', headers })
    const callers = [{ 'x-api-key': apiKey }, owner, numberKey]
    // The household has made changes already; they are forgotten.
    await rows(server.db, 'delete from change_limits')
    const spent = Array.from({ length: limits.changesPerMinute }, (_, index) => change(callers[index % 3] ?? owner))
    const codes = (await Promise.all(spent)).map(({ error }) => error?.code)
    expect(new Set(codes)).toEqual(new Set(['INVALID_JSON']))

    for (const headers of callers) {
      expect(reportedWait(await change(headers))).toEqual({
        status: 429,
        code: 'RATE_LIMITED',
        details: { scope: 'organization', retryAfterSeconds: 1, limitPerMinute: 300 },
        retryAfter: '1',
      })
    }
    expect((await call(server, mountedAs('account.me'), { headers: owner })).status).toBe(200)
    expect((await change(other)).error?.code).toBe('INVALID_JSON')

    await server.advance(1)
    const after = await Promise.all(Array.from({ length: 6 }, () => change(owner)))
    expect(after.map(({ error }) => error?.code).sort()).toEqual([...Array(5).fill('INVALID_JSON'), 'RATE_LIMITED'])
  })
})

describe('attempts to sign in', () => {
  const signIn = mountedAs('auth.signIn')
  const signUp = mountedAs('auth.signUp')
  const { attemptsPerIp, windowSeconds, wrongPasswords, lockSeconds } = limits.signIn

  it('are 20 in 15 minutes from one address, and the next response has the time to wait', async () => {
    const attempt = () => call(server, signIn, from('203.0.113.1', goodInput(signIn)))
    const first = await Promise.all(Array.from({ length: attemptsPerIp }, attempt))
    expect(new Set(first.map(({ error }) => error?.code))).toEqual(new Set(['AUTH_ERROR']))
    await server.advance(60)
    const waitSeconds = windowSeconds - 60
    expect(reportedWait(await attempt())).toEqual({
      status: 429,
      code: 'RATE_LIMIT',
      details: { retryAfterSeconds: waitSeconds },
      retryAfter: String(waitSeconds),
    })
    await server.advance(waitSeconds)
    expect((await attempt()).error?.code).toBe('AUTH_ERROR')
  })

  it('with 10 wrong passwords lock the e-mail for 15 minutes, also for the right one and from elsewhere', async () => {
    const person = goodInput(signUp)
    await call(server, signUp, from('203.0.113.2', person))
    const { email, password } = person.body as { email: string; password: string }
    const attempt = (address: string, given: string) =>
      call(server, signIn, from(address, { body: { email, password: given } }))
    const wrong = await Promise.all(
      Array.from({ length: wrongPasswords }, (_, index) => attempt(`203.0.113.${index}`, 'a wrong password')),
    )
    expect(new Set(wrong.map(({ error }) => error?.details?.reason))).toEqual(new Set(['invalid_credentials']))
    expect(reportedWait(await attempt('203.0.113.99', password))).toEqual({
      status: 429,
      code: 'TOO_MANY_LOGIN_ATTEMPTS',
      details: { retryAfterSeconds: lockSeconds },
      retryAfter: String(lockSeconds),
    })
    await server.advance(lockSeconds)
    expect((await attempt('203.0.113.98', password)).status).toBe(200)
  })

  it('by new people are as many an hour as the setting says', async () => {
    const attempt = () => call(server, signUp, from('203.0.113.200', goodInput(signUp)))
    for (let n = 0; n < 3; n += 1) expect((await attempt()).status).toBe(201)
    expect(reportedWait(await attempt())).toEqual({
      status: 429,
      code: 'RATE_LIMIT',
      details: { retryAfterSeconds: 3600 },
      retryAfter: '3600',
    })
  })
})

describe('the free trial', () => {
  it('reports for every credential how long its day still is', async () => {
    const trial = await makeOrganization(server, { granted: false })
    const number = await makeNumber(server, trial)
    const { organizationId, apiKey } = trial
    await rows(
      server.db,
      `insert into trial_usage (organization_id, day, used)
       select :organizationId, (service_now() at time zone 'UTC')::date, :used`,
      { organizationId, used: limits.trial.messagesPerDay },
    )
    const now = server.services.clock.now()
    const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
    const retryAfterSeconds = Math.ceil((midnight.getTime() - now.getTime()) / 1000)
    const send = mountedAs('alert.send')
    for (const headers of [
      { 'x-api-key': apiKey },
      { 'x-api-key': await makeNumberKey(server, trial, number) },
      { authorization: `Bearer ${await makeToken(server, trial, 'member')}` },
    ]) {
      expect(reportedWait(await call(server, send, { ...goodInput(send), headers }))).toEqual({
        status: 429,
        code: 'TRIAL_LIMIT_REACHED',
        details: { limit: 100, used: 100, requested: 1, retryAfterSeconds, resetsAt: midnight.toISOString() },
        retryAfter: String(retryAfterSeconds),
      })
    }
    await server.advance(retryAfterSeconds)
    expect((await call(server, send, { ...goodInput(send), headers: { 'x-api-key': apiKey } })).status).toBe(201)
  })
})
