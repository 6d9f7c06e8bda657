import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, headersFrom, settingsFrom } from './settings.ts'

const baseUrl = 'https://api.example.com/api/v1'

afterEach(() => vi.unstubAllEnvs())

describe('settingsFrom', () => {
  it('has the documented defaults', () => {
    expect(settingsFrom({ baseUrl, apiKey: 'k' })).toMatchObject({
      baseUrl,
      credentials: { 'x-api-key': 'k' },
      headers: {},
      timeoutMs: 30_000,
      deadlineMs: 90_000,
      maxRetries: 2,
      maxRetryAfterMs: 30_000,
      idempotency: 'auto',
    })
  })

  it('rejects an unknown value of idempotency', () => {
    for (const idempotency of ['trusted', 'off'] as const) {
      expect(settingsFrom({ baseUrl, idempotency })).toMatchObject({ idempotency })
    }
    const wrong = { baseUrl, idempotency: 'Off' } as unknown as ClientOptions
    expect(() => settingsFrom(wrong)).toThrow('idempotency must be auto, trusted or off.')
  })

  it('reads key and address from the environment, unless options are passed', () => {
    vi.stubEnv('MSG_API_KEY', ' from-environment\n')
    vi.stubEnv('MSG_BASE_URL', `${baseUrl}/`)
    expect(settingsFrom({})).toMatchObject({ baseUrl, credentials: { 'x-api-key': 'from-environment' } })
    const given = settingsFrom({ apiKey: 'given', baseUrl: 'http://127.0.0.1:1/api/v1' })
    expect(given).toMatchObject({ baseUrl: 'http://127.0.0.1:1/api/v1', credentials: { 'x-api-key': 'given' } })
  })

  it('sends a token alone, without the key of the environment', () => {
    vi.stubEnv('MSG_API_KEY', 'from-environment')
    expect(settingsFrom({ baseUrl, token: 't' }).credentials).toEqual({ authorization: 'Bearer t' })
  })

  it('needs no environment at all, as in an edge runtime', () => {
    vi.stubGlobal('process', undefined)
    try {
      expect(settingsFrom({ baseUrl }).credentials).toEqual({})
      expect(() => settingsFrom({})).toThrow('baseUrl is missing')
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it.each([
    [{ baseUrl: '' }, 'baseUrl'],
    [{ baseUrl: '/api/v1' }, 'baseUrl'],
    [{ baseUrl: 'ftp://example.com' }, 'baseUrl'],
    [{ baseUrl: 'https://user:hunter2@example.com/api/v1' }, 'baseUrl'],
    [{ baseUrl: `${baseUrl}?key=hunter2` }, 'baseUrl'],
    [{ baseUrl, apiKey: '' }, 'apiKey'],
    [{ baseUrl, apiKey: 'hunter2\nx' }, 'apiKey'],
    [{ baseUrl, apiKey: 'hunter2ü' }, 'apiKey'],
    [{ baseUrl, token: 'hunter2 x' }, 'token'],
    [{ baseUrl, apiKey: 'hunter2', token: 'hunter2' }, 'not both'],
    [{ baseUrl, timeoutMs: 0 }, 'timeoutMs'],
    [{ baseUrl, timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ baseUrl, deadlineMs: Number.POSITIVE_INFINITY }, 'deadlineMs'],
    [{ baseUrl, maxRetries: -1 }, 'maxRetries'],
    [{ baseUrl, maxRetries: 1.5 }, 'maxRetries'],
    [{ baseUrl, maxRetryAfterMs: -1 }, 'maxRetryAfterMs'],
    [{ baseUrl, headers: { 'x y': 'hunter2' } }, 'headers'],
    [{ baseUrl, headers: { authorization: 'hunter2\r\nx: y' } }, 'authorization'],
  ] satisfies [ClientOptions, string][])('refuses %j, names %s and shows no value', (options, name) => {
    vi.stubEnv('MSG_BASE_URL', '')
    const attempt = () => settingsFrom(options)
    expect(attempt).toThrow(TypeError)
    expect(attempt).toThrow(name)
    expect(attempt).not.toThrow(/hunter2/)
  })
})

describe('headersFrom', () => {
  it('lowercases the names and leaves out undefined values', () => {
    expect(headersFrom({ 'X-Trace': 'a', 'X-None': undefined })).toEqual({ 'x-trace': 'a' })
  })
})
