import { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { type ApiProcess, startApiProcess } from '#testing/api-process.ts'
import { testDatabase } from '#testing/database.ts'
import { makeOrganization } from '#testing/make.ts'
import { buildServer } from '#testing/worker-process.ts'

await buildServer()
const { db, url } = await testDatabase()
const apis = await Promise.all([startApiProcess(url), startApiProcess(url)])
afterAll(() => Promise.all(apis.map((api) => api.stop())))

const ids = ['018f3b5e-0000-7000-8000-000000000001']

/** One change, as plainly as it goes over the wire. */
async function change({ baseUrl }: ApiProcess, apiKey: string) {
  const response = await fetch(`${baseUrl}/chats/unread/ack`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  })
  const { error } = (await response.json()) as { error?: { code: string; details: object } }
  return { status: response.status, error, headers: response.headers }
}

describe('two processes of the API', () => {
  it('let 300 of 600 changes at once pass, and what the time refilled; the others get the time to wait', {
    timeout: 60_000,
  }, async () => {
    const { apiKey } = await makeOrganization({ db })
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 600 }, (_, n) => change(apis[n % 2] as ApiProcess, apiKey)))
    const seconds = (performance.now() - began) / 1000
    const passed = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    const refill = limits.changesPerMinute / 60
    expect(passed.length).toBeGreaterThanOrEqual(300)
    expect(passed.length).toBeLessThanOrEqual(300 + Math.floor(seconds * refill))
    expect(passed.length + refused.length).toBe(600)
    // One is refilled every 200 ms; the response rounds the wait up to whole seconds.
    const details = { scope: 'organization', retryAfterSeconds: 1, limitPerMinute: 300 }
    for (const { status, error, headers } of refused) {
      expect({ status, code: error?.code, details: error?.details }).toEqual({
        status: 429,
        code: 'RATE_LIMITED',
        details,
      })
      expect(headers.get('retry-after')).toBe('1')
    }
  })

  it('count no reads, also when no change is left', { timeout: 60_000 }, async () => {
    const { apiKey } = await makeOrganization({ db })
    await Promise.all(Array.from({ length: 400 }, (_, n) => change(apis[n % 2] as ApiProcess, apiKey)))
    const reads = await Promise.all(
      Array.from({ length: 40 }, (_, n) => fetch(`${apis[n % 2]?.baseUrl}/me`, { headers: { 'x-api-key': apiKey } })),
    )
    expect(reads.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    for (const { headers } of reads) expect(headers.get('ratelimit')).toBeNull()
  })

  it('refuse a key at once that the other one has replaced', async () => {
    const { apiKey } = await makeOrganization({ db })
    const [first, second] = apis.map(({ baseUrl }) => new MessagingClient({ baseUrl, apiKey, maxRetries: 0 }))
    expect((await second?.account.me())?.hasApiKey).toBe(true)
    const next = await first?.account.regenerateKey()
    await expect(second?.account.me()).rejects.toMatchObject({
      code: 'AUTH_ERROR',
      details: { reason: 'invalid_api_key' },
    })
    const renewed = new MessagingClient({ baseUrl: String(apis[1]?.baseUrl), apiKey: String(next?.apiKey) })
    expect((await renewed.account.me()).hasApiKey).toBe(true)
  })
})
