import { errorTable } from '@msgctl/contract/error-table'
import { describe, expect, it } from 'vitest'
import { testMachine } from '../testing/machine.ts'
import { refusal, scriptedServer } from '../testing/scripted-server.ts'
import { type ApiFailure, apiExitCode, exitCodes } from './exit-codes.ts'

const codes = Object.keys(errorTable) as (keyof typeof errorTable)[]
const numberOf = {
  unexpected: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  forbidden: 5,
  quota: 6,
  conflict: 7,
  down: 8,
} as const

describe('the exit code of an error', () => {
  it.each(codes)('%s ends with the class of the contract', (code) => {
    const { status, exit } = errorTable[code]
    expect(apiExitCode({ code, status })).toBe(numberOf[exit])
  })

  it('covers a catalogue of more than 90 codes', () => {
    expect(codes.length).toBeGreaterThan(90)
  })

  const others: readonly (ApiFailure & { ends: number })[] = [
    { code: 'CONNECTION_FAILED', outcome: 'not_sent', ends: 8 },
    { code: 'CONNECTION_FAILED', outcome: 'unknown', ends: 10 },
    { code: 'TIMEOUT', ends: 8 },
    { code: 'TIMEOUT', outcome: 'unknown', ends: 10 },
    { code: 'UPSTREAM_TIMEOUT', status: 504, outcome: 'unknown', ends: 10 },
    { code: 'INTERNAL_ERROR', status: 500, outcome: 'unknown', ends: 10 },
    { code: 'ABORTED', outcome: 'unknown', ends: 130 },
    { code: 'UNKNOWN', status: 502, ends: 8 },
    { code: 'UNKNOWN', status: 403, ends: 5 },
    { code: 'A_CODE_OF_TOMORROW', status: 409, ends: 7 },
    { code: 'A_CODE_OF_TOMORROW', status: 418, ends: 1 },
    { code: 'INVALID_RESPONSE', ends: 1 },
  ]

  it.each(others)('$code with status $status and outcome $outcome ends with $ends', ({ ends, ...failure }) => {
    expect(apiExitCode(failure)).toBe(ends)
  })

  it('gives every way to end a number of its own', () => {
    expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length)
  })

  it('is what the process ends with, with the envelope on stderr and nothing on stdout', async () => {
    const { origin } = await scriptedServer({
      'GET /api/v1/me': () => refusal(403, 'ROLE_FORBIDDEN', 'Your role does not allow this.', { roles: ['owner'] }),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const ran = await testMachine().run(['account', 'me', '--json'], { env })
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' })
    expect(JSON.parse(ran.stderr)).toEqual({
      success: false,
      error: {
        code: 'ROLE_FORBIDDEN',
        message: 'Your role does not allow this.',
        details: { roles: ['owner'] },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    })
  })

  it('is 10 when a send may have gone out, and the advice is to check before it is repeated', async () => {
    const unknown = () => refusal(504, 'UPSTREAM_TIMEOUT', 'The network did not answer.', { outcome: 'unknown' })
    const { origin } = await scriptedServer({ 'POST /api/v1/alert/send-location': unknown })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const argv = ['send', 'location', '+12025550112', '38.89', '-77.09']
    const { stderr, exitCode } = await testMachine().run(argv, { env })
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining('msgctl messages list')])
  })

  it.each(codes)('%s is reported as its envelope on stderr, and the process ends with its class', async (code) => {
    const { status, exit } = errorTable[code]
    // The wait is longer than the client allows: it reports the error instead of retrying.
    const headers = { 'retry-after': '600' }
    const { origin } = await scriptedServer({
      'GET /api/v1/me': () => ({ ...refusal(status, code, 'It was refused.'), headers }),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const { stdout, stderr, exitCode } = await testMachine().run(['account', 'me', '--json'], { env })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: numberOf[exit] })
    expect(JSON.parse(stderr)).toMatchObject({ success: false, error: { code, message: 'It was refused.' } })
  })
})
