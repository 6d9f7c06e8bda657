import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeKey, makeTenant, startEdge } from '#testing/features/http-edge.ts'
import { changePolicy, rateLimitState } from './rate-limit.ts'

const chats = { unread: async () => ({ messages: [] }), ack: async () => ({ marked: 1 }) }
const body = { ids: ['018f3b5e-0000-7000-8000-000000000001'] }
const edge = await startEdge({ chats })

function change(key: string) {
  return edge.call('POST', '/chats/unread/ack', { key, body })
}

describe('the arithmetic of the limit', () => {
  it.each([
    ['an untouched limit', 0, { remaining: 300, resetSeconds: 0, retryAfterSeconds: 0 }],
    ['a limit last used long ago', -5000, { remaining: 300, resetSeconds: 0, retryAfterSeconds: 0 }],
    ['one change', 200, { remaining: 299, resetSeconds: 1, retryAfterSeconds: 0 }],
    ['half of the burst', 30_000, { remaining: 150, resetSeconds: 30, retryAfterSeconds: 0 }],
    ['the last change that passes', 59_800, { remaining: 1, resetSeconds: 60, retryAfterSeconds: 0 }],
    ['the whole burst', 60_000, { remaining: 0, resetSeconds: 60, retryAfterSeconds: 1 }],
    ['the burst and 100 ms', 59_900, { remaining: 0, resetSeconds: 60, retryAfterSeconds: 1 }],
  ])('after %s', (_when, tatMs, expected) => {
    expect(rateLimitState(changePolicy, tatMs, 0)).toEqual(expected)
  })

  it('returns how long a slower limit makes its caller wait', () => {
    expect(rateLimitState({ perWindow: 2, windowMs: 60_000 }, 60_000, 0)).toMatchObject({ retryAfterSeconds: 30 })
  })
})

describe('the limit on changes', () => {
  it('lets exactly 300 of 400 parallel changes pass and names the time for the others to retry', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const other = await makeKey(edge.db, organizationId, '018f3b5e-0000-7000-8000-00000000000a')
    await edge.clock.freeze()
    const answers = await Promise.all(Array.from({ length: 400 }, (_, at) => change(at % 2 ? key : other)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300)
    expect(refused).toHaveLength(100)
    for (const { body, headers } of refused) {
      expect(body.error).toMatchObject({
        code: 'RATE_LIMITED',
        details: { scope: 'organization', retryAfterSeconds: 1, limitPerMinute: 300 },
      })
      expect(headers.get('retry-after')).toBe('1')
      expect(headers.get('ratelimit')).toBe('"changes";r=0;t=60')
    }
  })

  it('refills by five a second, up to 300', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    await rows(edge.db, `insert into change_limits values (:organizationId, service_now() + interval '60 s')`, {
      organizationId,
    })
    expect((await change(key)).status).toBe(429)
    await edge.clock.advance(1)
    const { status, headers } = await change(key)
    expect(status).toBe(200)
    expect(headers.get('ratelimit-policy')).toBe('"changes";q=300;w=60')
    expect(headers.get('ratelimit')).toBe('"changes";r=4;t=60')
    await edge.clock.advance(600)
    expect((await change(key)).headers.get('ratelimit')).toBe('"changes";r=299;t=1')
  })

  it('is not spent by reads, nor by another organization', async () => {
    const [spent, fresh] = [await makeTenant(edge.db), await makeTenant(edge.db)]
    await rows(edge.db, `insert into change_limits values (:id, service_now() + interval '60 s')`, {
      id: spent.organizationId,
    })
    const read = await edge.call('GET', '/chats/unread', { key: spent.key })
    expect(read.status).toBe(200)
    expect(read.headers.get('ratelimit')).toBeNull()
    expect((await change(fresh.key)).status).toBe(200)
  })
})

describe('the limit on changes when it is switched off', async () => {
  const free = await startEdge({ chats }, { env: { UNSAFE_DISABLE_RATE_LIMIT: 'true' } })

  it('counts nothing', async () => {
    const { key, organizationId } = await makeTenant(free.db)
    const answer = await free.call('POST', '/chats/unread/ack', { key, body })
    expect(answer.headers.get('ratelimit')).toBeNull()
    expect(
      await rows(free.db, 'select from change_limits where organization_id = :organizationId', { organizationId }),
    ).toEqual([])
  })
})
