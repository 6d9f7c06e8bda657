import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, headersFrom, settingsFrom } from './settings.ts'

const baseUrl = 'https://api.example.com/api/v1'

afterEach(() => vi.unstubAllEnvs())

describe('settingsFrom', () => {
  it('has the documented defaults', () => {
    expect(settingsFrom({ baseUrl, apiKey: 'k' })).toMatchObject({
      baseUrl,
      headers: { 'user-agent': expect.stringMatching(/^msgctl-client\/\d/) },
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

  it('reads key and address from the environment, unless options are passed', async () => {
    vi.stubEnv('MSG_API_KEY', ' from-environment\n')
    vi.stubEnv('MSG_BASE_URL', `${baseUrl}/`)
    const found = settingsFrom({})
    expect([found.baseUrl, await found.credentials()]).toEqual([baseUrl, { 'x-api-key': 'from-environment' }])
    const given = settingsFrom({ apiKey: 'given', baseUrl: 'http://127.0.0.1:1/api/v1' })
    expect([given.baseUrl, await given.credentials()]).toEqual(['http://127.0.0.1:1/api/v1', { 'x-api-key': 'given' }])
  })

  it('sends a token alone, without the key of the environment', async () => {
    vi.stubEnv('MSG_API_KEY', 'from-environment')
    expect(await settingsFrom({ baseUrl, token: 't' }).credentials()).toEqual({ authorization: 'Bearer t' })
  })

  it('takes a key or token from a function each time, checks it, and redacts every one', async () => {
    const keys = ['one-key', 'two-key', '']
    const settings = settingsFrom({ baseUrl, apiKey: async () => keys.shift() ?? '' })
    expect(await settings.credentials()).toEqual({ 'x-api-key': 'one-key' })
    expect(await settings.credentials()).toEqual({ 'x-api-key': 'two-key' })
    await expect(settings.credentials()).rejects.toThrow('apiKey is empty.')
    expect(settings.redact('one-key and two-key')).toBe('[redacted] and [redacted]')
    expect(await settingsFrom({ baseUrl, token: () => 't' }).credentials()).toEqual({ authorization: 'Bearer t' })
  })

  it.each([
    ['https://api.example.com', 'https://api.example.com/api/v1'],
    ['https://api.example.com/', 'https://api.example.com/api/v1'],
    ['https://example.com/messaging/', 'https://example.com/messaging/api/v1'],
    ['https://example.com/api/v1/', 'https://example.com/api/v1'],
    ['https://example.com/api/v2', 'https://example.com/api/v2'],
  ])('completes the address %s', (given, completed) => {
    expect(settingsFrom({ baseUrl: given }).baseUrl).toBe(completed)
  })

  it.each([
    ['', 'https://gateway.example.com/messaging'],
    ['/v1', 'https://gateway.example.com/messaging/v1'],
  ])('adds the path %j where a gateway serves the API elsewhere', (basePath, address) => {
    expect(settingsFrom({ baseUrl: 'https://gateway.example.com/messaging/', basePath }).baseUrl).toBe(address)
  })

  it('needs no environment at all, as in an edge runtime', async () => {
    vi.stubGlobal('process', undefined)
    try {
      expect(await settingsFrom({ baseUrl }).credentials()).toEqual({})
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
    [{ baseUrl, basePath: 'v1' }, 'basePath'],
    [{ baseUrl, basePath: '/v1?x=hunter2' }, 'basePath'],
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
