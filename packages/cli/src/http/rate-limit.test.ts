import { describe, expect, it } from 'vitest'
import { fakeServer } from '../testing/fake-api/server.ts'
import { testMachine } from '../testing/machine.ts'
import { allowanceIn } from './rate-limit.ts'

const policy = '"changes";q=300;w=60'

describe('what is left of a limit', () => {
  it.each([
    ['both headers', policy, '"changes";r=288;t=3', { limit: 300, windowSeconds: 60, remaining: 288, resetSeconds: 3 }],
    [
      'blanks',
      '"changes"; q=300; w=60',
      '"changes"; r=0; t=60',
      { limit: 300, windowSeconds: 60, remaining: 0, resetSeconds: 60 },
    ],
    ['no header', null, null, null],
    ['one header', policy, null, null],
    ['a header without its time', policy, '"changes";r=288', null],
    ['a fraction', policy, '"changes";r=1.5;t=3', null],
  ])('is read from %s', (_what, ratePolicy, rate, expected) => {
    const headers: Record<string, string | null> = { 'ratelimit-policy': ratePolicy, ratelimit: rate }
    expect(allowanceIn({ get: (name) => headers[name.toLowerCase()] ?? null })).toEqual(expected)
  })
})

describe('msgctl limits', () => {
  it('asks nothing of the account with the key of one number', async () => {
    const { origin, seen } = await fakeServer({
      'GET /api/v1/session/status': () => ({ body: { status: 'WORKING' } }),
      'POST /api/v1/alert/send': () => ({
        status: 400,
        headers: { 'ratelimit-policy': policy, ratelimit: '"changes";r=7;t=59' },
        body: { success: false, error: { code: 'VALIDATION_ERROR', message: 'phone is missing.' } },
      }),
    })
    const env = { MSG_API_KEY: 'msn_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const { stdout, exitCode } = await testMachine().run(['limits', '--json'], { env })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ changes: { remaining: 7 }, numbers: null })
    expect(seen.map(({ path }) => path)).toEqual(['/api/v1/session/status', '/api/v1/alert/send'])
    expect(seen[1]?.body).toEqual({})
  })
})
