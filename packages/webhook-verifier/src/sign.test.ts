import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sign } from './sign.ts'
import { body, now, nowSeconds, otherSecret, reasonOf, secret } from './test/signed-delivery.ts'
import { verify } from './verify.ts'

const expected = (key: string) => createHmac('sha256', key).update(`${nowSeconds}.${body}`).digest('hex')

describe('sign', () => {
  it('returns the text of the header', async () => {
    expect(await sign(body, secret, nowSeconds)).toBe(`t=${nowSeconds},v1=${expected(secret)}`)
  })

  it('returns one v1 for each secret, in order', async () => {
    expect(await sign(body, [secret, otherSecret], nowSeconds)).toBe(
      `t=${nowSeconds},v1=${expected(secret)},v1=${expected(otherSecret)}`,
    )
  })

  it('signs bytes like the text that they encode', async () => {
    expect(await sign(Buffer.from(body), secret, nowSeconds)).toBe(await sign(body, secret, nowSeconds))
  })

  it('signs for the current time by default', async () => {
    const before = Math.floor(Date.now() / 1000)
    const t = Number((await sign(body, secret)).slice(2, 12))
    expect(t - before).toBeGreaterThanOrEqual(0)
    expect(Math.floor(Date.now() / 1000) - t).toBeGreaterThanOrEqual(0)
  })

  it('returns a signature that verify accepts for every secret of a rotation', async () => {
    const headers = { 'x-service-signature': await sign(body, [secret, otherSecret], nowSeconds) }
    for (const one of [secret, otherSecret, [otherSecret, secret]])
      expect(await reasonOf(verify(body, headers, one, { now }))).toBe('accepted')
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000_000_000])(
    'refuses %s as time',
    async (timestampSeconds) => {
      expect(await reasonOf(sign(body, secret, timestampSeconds))).toBe('malformed_timestamp')
    },
  )

  it('refuses a malformed secret, and a parsed body', async () => {
    expect(await reasonOf(sign(body, 'whsec_short', nowSeconds))).toBe('malformed_secret')
    expect(await reasonOf(sign(body, [], nowSeconds))).toBe('malformed_secret')
    expect(await reasonOf(sign(JSON.parse(body), secret, nowSeconds))).toBe('raw_body_required')
  })
})
