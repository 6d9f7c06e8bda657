import { describe, expect, it } from 'vitest'
import type { Caller } from '#api/http/handler.ts'
import { rows } from '#platform/db/db.ts'
import { makeKey, makeTenant, makeToken, startEdge } from '#testing/features/http-edge.ts'

const numberId = '018f3b5e-0000-7000-8000-000000000001'
const callers: Caller[] = []
const edge = await startEdge({
  contacts: {
    optOutWords: async ({ caller }) => {
      callers.push(caller)
      return { words: [] }
    },
  },
})

function read(headers: Record<string, string>) {
  return edge.call('GET', '/contacts/opt-out-words', { headers })
}

async function reason(headers: Record<string, string>): Promise<string> {
  const { status, body } = await read(headers)
  expect(status).toBe(401)
  expect(body.error.code).toBe('AUTH_ERROR')
  return body.error.details.reason
}

async function callerOf(headers: Record<string, string>): Promise<Caller | undefined> {
  expect((await read(headers)).status).toBe(200)
  return callers.pop()
}

describe('a request', () => {
  it('without credentials, or with unknown ones, is refused with the reason', async () => {
    expect(await reason({})).toBe('missing_credentials')
    expect(await reason({ 'X-API-Key': `msk_${'0'.repeat(64)}` })).toBe('invalid_api_key')
    expect(await reason({ 'X-API-Key': 'x'.repeat(5000) })).toBe('invalid_api_key')
    expect(await reason({ Authorization: 'Bearer unknown' })).toBe('invalid_session')
  })

  it('with an account key acts as an admin of its organization', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    expect(await callerOf({ 'X-API-Key': key })).toMatchObject({
      kind: 'account_key',
      organizationId,
      role: 'admin',
      containerId: null,
      userId: null,
      credential: 'account',
      trial: false,
    })
  })

  it("with a number's key is bound to that number", async () => {
    const { organizationId } = await makeTenant(edge.db)
    const key = await makeKey(edge.db, organizationId, numberId)
    expect(await callerOf({ 'X-API-Key': key })).toMatchObject({
      kind: 'number_key',
      organizationId,
      containerId: numberId,
      credential: `number:${numberId}`,
    })
  })

  it('with a token acts as the signed-in person, and a key beside it wins', async () => {
    const { organizationId, key } = await makeTenant(edge.db)
    const token = await makeToken(edge.db, organizationId, 'member')
    const user = await callerOf({ Authorization: `Bearer ${token}` })
    expect(user).toMatchObject({ kind: 'user', organizationId, role: 'member', credential: `user:${user?.userId}` })
    const both = await callerOf({ Authorization: `Bearer ${token}`, 'X-API-Key': key })
    expect(both).toMatchObject({ kind: 'account_key' })
  })

  it('with an API key as Bearer is refused: that is for sessions', async () => {
    const { key } = await makeTenant(edge.db)
    const headers = { Authorization: `Bearer ${key}` }
    expect(await reason(headers)).toBe('invalid_session')
    expect((await read(headers)).body.error.message).toContain('X-API-Key')
    expect((await read({ Authorization: 'Bearer unknown' })).body.error.message).toContain('Sign in again')
  })

  it('with a key that was taken away is refused at once', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    await callerOf({ 'X-API-Key': key })
    await rows(edge.db, 'delete from api_keys where organization_id = :organizationId', { organizationId })
    expect(await reason({ 'X-API-Key': key })).toBe('invalid_api_key')
  })

  it('with the token of a person who left the organization is refused', async () => {
    const { organizationId } = await makeTenant(edge.db)
    const token = await makeToken(edge.db, organizationId, 'admin')
    await rows(edge.db, 'delete from members where organization_id = :organizationId', { organizationId })
    expect(await reason({ Authorization: `Bearer ${token}` })).toBe('invalid_session')
  })
})

describe('the products of a caller', () => {
  it.each([
    ['granted ones', ['connect', 'notify'], 7, ['connect', 'notify'], false],
    ['granted ones after the trial', ['connect'], -1, ['connect'], false],
    ['those on trial', [{ product: 'connect', granted: false }], 7, ['connect'], true],
    ['granted and not paused', ['connect', { product: 'shop', paused: true }], 7, ['connect'], false],
    [
      'granted ones beside those on trial',
      ['connect', { product: 'shop', granted: false }],
      7,
      ['connect', 'shop'],
      false,
    ],
    [
      'granted ones beside a trial that ended',
      ['connect', { product: 'shop', granted: false }],
      -1,
      ['connect'],
      false,
    ],
  ])('are %s', async (_what, products, trialDaysLeft, active, trial) => {
    const { key } = await makeTenant(edge.db, products, trialDaysLeft)
    const caller = await callerOf({ 'X-API-Key': key })
    expect([...(caller?.products ?? [])].sort()).toEqual(active)
    expect(caller?.trial).toBe(trial)
  })
})

describe('a session', () => {
  async function session() {
    const { organizationId } = await makeTenant(edge.db)
    const token = await makeToken(edge.db, organizationId, 'admin')
    const used = async () => {
      const [row] = await rows<{ at: Date }>(
        edge.db,
        'select last_used_at as at from user_tokens where organization_id = :organizationId',
        { organizationId },
      )
      return row?.at.getTime() ?? 0
    }
    return { headers: { Authorization: `Bearer ${token}` }, used }
  }

  it('ends after 12 hours without use, and use prolongs it', async () => {
    const { headers } = await session()
    await edge.clock.advance(11 * 3600)
    await callerOf(headers)
    await edge.clock.advance(11 * 3600)
    await callerOf(headers)
    await edge.clock.advance(12 * 3600)
    expect(await reason(headers)).toBe('invalid_session')
  })

  it('ends after 30 days, used or not', async () => {
    const { headers } = await session()
    for (let half = 0; half < 59; half++) {
      await edge.clock.advance(12 * 3600 - 60)
      await callerOf(headers)
    }
    await edge.clock.advance(12 * 3600 + 3600 - 60)
    expect(await reason(headers)).toBe('invalid_session')
  })

  it('notes its use at most once a minute', async () => {
    await edge.clock.freeze()
    const { headers, used } = await session()
    const start = await used()
    await edge.clock.advance(59)
    await callerOf(headers)
    expect(await used()).toBe(start)
    await edge.clock.advance(1)
    await callerOf(headers)
    expect(await used()).toBe(start + 60_000)
  })
})
