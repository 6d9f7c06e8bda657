import { describe, expect, it } from 'vitest'
import { apiKey, connect, errorFrom } from './test/connect.ts'
import { type Answer, closedPort, failure, hang, json, reset } from './test/scripted-server.ts'
import type { Transport } from './transport.ts'

const me = json(200, { success: true, name: 'Ada' })
const id = '0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e'
const send = { phone: '+12025550100', message: 'hello' }

describe('a call', () => {
  it('sends the flat input as the contract places it, with the key', async () => {
    const { client, server } = await connect({ headers: { 'X-Trace': 'a' } }, json(200, { success: true, marked: 1 }))
    await client.chats.read({ phone: '+12025550100' }, { headers: { 'x-trace': 'b', 'X-API-Key': 'other' } })
    await client.messages.list({ status: 'failed', limit: 5 })
    const [change, read] = server.requests
    expect(change).toMatchObject({ method: 'POST', path: '/chats/%2B12025550100/read', body: '{}' })
    expect(change?.headers).toMatchObject({
      'x-api-key': apiKey,
      'x-trace': 'b',
      'content-type': 'application/json',
      accept: 'application/json',
    })
    expect(read).toMatchObject({ method: 'GET', path: '/messages', body: '' })
    expect(read?.query.toString()).toBe('status=failed&limit=5')
    expect(read?.headers).not.toHaveProperty('content-type')
  })

  it('sends a token as a Bearer token', async () => {
    const { client, server } = await connect({ apiKey: undefined, token: 'tok' }, me)
    await client.account.me()
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer tok' })
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  it('answers the data, and on request what came around it', async () => {
    const { client } = await connect({}, me)
    expect(await client.account.me()).toEqual({ success: true, name: 'Ada' })
    const { data, response, requestId } = await client.account.me.withResponse()
    expect(data).toEqual({ success: true, name: 'Ada' })
    expect([response.status, response.headers.get('x-request-id'), requestId]).toEqual([200, 'req-1', 'req-1'])
  })

  it('judges success by the status, never by the field', async () => {
    const { client } = await connect({}, json(200, { success: false, odd: true }))
    expect(await client.account.me()).toEqual({ success: false, odd: true })
  })

  it('refuses a missing path parameter before anything is sent', async () => {
    const { client, server } = await connect({}, me)
    await expect(client.messages.get({} as { id: string })).rejects.toThrow('GET /messages/:id: id is missing.')
    expect(server.requests).toHaveLength(0)
  })

  it('leaves a connection open whose answer it read, and closes one whose answer it did not', async () => {
    const signals: AbortSignal[] = []
    const recording: Transport = (url, request) => {
      signals.push(request.signal)
      return fetch(url, request)
    }
    const { client, server } = await connect({ fetch: recording }, me, (response) => {
      response.writeHead(302, { location: '/x' }).write('and then nothing more')
    })
    await client.account.me()
    await errorFrom(client.account.me())
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
    await server.requests[1]?.closed
  })

  it('reaches a path of no resource through request', async () => {
    const { client, server } = await connect({}, json(202, { ok: 1 }))
    const answer = await client.request('post', '/new/thing', { a: 1 })
    expect([answer.data, answer.response.status]).toEqual([{ ok: 1 }, 202])
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/new/thing', body: '{"a":1}' })
    await expect(client.request('TRACE', '/x')).rejects.toThrow(TypeError)
    await expect(client.request('GET', '//evil.example')).resolves.toBeDefined()
    expect(server.requests[1]?.path).toBe('//evil.example')
    await expect(client.request('GET', 'x')).rejects.toThrow(TypeError)
  })
})

describe('an error', () => {
  it('carries what the envelope says', async () => {
    const issues = [{ field: 'message', code: 'too_big', message: 'Too long.', maximum: 4096 }]
    const error = {
      code: 'VALIDATION_ERROR',
      message: 'No.',
      details: { message: ['Too long.'] },
      issues,
      requestId: 'e',
    }
    const { client } = await connect({}, json(400, { success: false, error }))
    expect(await errorFrom(client.alert.send(send))).toMatchObject({
      ...error,
      name: 'MessagingError',
      status: 400,
      requestId: 'req-1',
      outcome: 'not_sent',
      endpoint: 'POST /alert/send',
    })
  })

  it('reads Retry-After in seconds, as a date, and from the details', async () => {
    const date = new Date(Date.parse('2026-01-01T00:01:30Z')).toUTCString()
    const { client } = await connect(
      {},
      failure(429, 'TRIAL_LIMIT_REACHED', {}, { 'retry-after': '7' }),
      failure(429, 'TRIAL_LIMIT_REACHED', {}, { 'retry-after': date }),
      failure(429, 'TRIAL_LIMIT_REACHED', { retryAfterSeconds: 9 }),
      failure(429, 'TRIAL_LIMIT_REACHED', {}, { 'retry-after': 'soon' }),
    )
    const waits = []
    for (let i = 0; i < 4; i += 1) waits.push((await errorFrom(client.account.me())).retryAfterMs)
    expect(waits).toEqual([7_000, 90_000, 9_000, undefined])
  })

  it('of a proxy becomes UNKNOWN with the first 200 characters of its page', async () => {
    const page = `<html>${'x'.repeat(300)}</html>`
    const html: Answer = (response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end(page)
    }
    const { client } = await connect({ maxRetries: 0 }, html)
    const error = await errorFrom(client.alert.send(send))
    expect(error).toMatchObject({
      code: 'UNKNOWN',
      status: 502,
      outcome: 'unknown',
      details: { body: page.slice(0, 200) },
    })
    expect(error.message).toContain(page.slice(0, 200))
    expect(error.message).not.toContain(page.slice(0, 201))
  })

  it.each([
    ['no JSON', '{"success": tr'],
    ['nothing', ''],
    ['JSON without an envelope', '{"error":"bad"}'],
    ['a list', '[]'],
  ])('with %s as its body becomes UNKNOWN', async (_, body) => {
    const { client } = await connect({ maxRetries: 0 }, (response) => {
      response.writeHead(500).end(body)
    })
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'UNKNOWN', status: 500, details: { body } })
  })

  it('keeps a code it does not know', async () => {
    const { client } = await connect({}, failure(418, 'BRAND_NEW', { why: 1 }))
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'BRAND_NEW', details: { why: 1 } })
  })

  it('is thrown for a success that is not JSON, and a send is then in doubt', async () => {
    const { client, server } = await connect({}, (response) => {
      response.writeHead(200).end('<html>Welcome to our network</html>')
    })
    const error = await errorFrom(client.alert.send(send))
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200, outcome: 'unknown' })
    expect(server.requests).toHaveLength(1)
  })

  it('says that redirects are not followed, and does not follow', async () => {
    const { client, server } = await connect({}, (response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const error = await errorFrom(client.alert.send(send))
    expect(error).toMatchObject({ code: 'REDIRECTED', status: 302, details: { location: '/elsewhere' } })
    expect(error.message).toContain('not followed')
    expect(server.requests).toHaveLength(1)
  })

  it('knows the redirect that a browser hides behind status 0', async () => {
    const opaque: Transport = async () => ({ status: 0, headers: new Headers(), body: null })
    const { client } = await connect({ fetch: opaque }, hang)
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'REDIRECTED' })
  })

  it('stops reading an answer that is larger than any the service gives', async () => {
    let chunks = 0
    async function* endless() {
      for (;;) {
        chunks += 1
        yield new Uint8Array(1024 * 1024)
      }
    }
    const flood: Transport = async () => ({ status: 200, headers: new Headers(), body: endless() })
    const { client } = await connect({ fetch: flood }, hang)
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(chunks).toBe(33)
  })
})

describe('retries', () => {
  it('repeat a read after a reset, a proxy error and an internal error, with full jitter', async () => {
    const { client, server, clock } = await connect(
      { maxRetries: 3 },
      reset,
      failure(502, 'X'),
      failure(500, 'INTERNAL_ERROR'),
      me,
    )
    await client.account.me()
    expect(server.requests).toHaveLength(4)
    expect(clock.waits).toEqual([250, 500, 1_000])
  })

  it('end after the allowed number with the last error', async () => {
    const { client, server } = await connect({}, reset, reset, failure(500, 'INTERNAL_ERROR'))
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'INTERNAL_ERROR', outcome: undefined })
    expect(server.requests).toHaveLength(3)
  })

  it.each(['PUT', 'DELETE'])('never repeat a %s of unknown outcome', async (method) => {
    const { client, server } = await connect({}, reset)
    const call = method === 'PUT' ? client.reminders.update({ id, label: 'x' }) : client.reminders.delete({ id })
    expect(await errorFrom(call)).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'unknown' })
    expect(server.requests).toHaveLength(1)
  })

  it('repeat a question that is asked by POST', async () => {
    const { client, server } = await connect({}, reset, json(200, { success: true }))
    await client.alert.validate({ phones: ['+12025550100'] })
    expect(server.requests).toHaveLength(2)
  })

  it('repeat a change that was never sent', async () => {
    const { client, clock } = await connect({ baseUrl: `http://127.0.0.1:${await closedPort()}/api/v1` }, hang)
    const error = await errorFrom(client.otp.verify({ requestId: id, code: '123456' }))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'not_sent' })
    expect(clock.waits).toHaveLength(2)
  })

  it('wait as long as a refusal asks for, and throw at once when that is above the cap', async () => {
    const short = { scope: 'organization', retryAfterSeconds: 30, limitPerMinute: 300 }
    const long = { ...short, retryAfterSeconds: 31 }
    const { client, clock } = await connect(
      {},
      failure(429, 'RATE_LIMITED', short, { 'retry-after': '30' }),
      failure(429, 'RATE_LIMITED', long, { 'retry-after': '31' }),
    )
    const error = await errorFrom(client.otp.verify({ requestId: id, code: '123456' }))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 31_000, outcome: 'not_sent' })
    expect(clock.waits).toEqual([30_250])
  })

  it('do not repeat a refused change without a key when no wait is named', async () => {
    const { client, server } = await connect({ idempotency: 'off' }, failure(503, 'GATEWAY_SESSION_ERROR'))
    expect(await errorFrom(client.otp.send({ phone: '+12025550100' }))).toMatchObject({ outcome: 'not_sent' })
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['TRIAL_LIMIT_REACHED', 429],
    ['OTP_RATE_LIMITED', 429],
    ['OTP_MAX_ATTEMPTS', 429],
    ['NUMBER_NOT_ON_NETWORK', 400],
    ['SECRETS_KEY_MISSING', 503],
  ])('leave %s to the caller', async (code, status) => {
    const { client, server } = await connect(
      { idempotency: 'trusted' },
      failure(status, code, {}, { 'retry-after': '1' }),
    )
    expect(await errorFrom(client.alert.send(send))).toMatchObject({ code, retryAfterMs: 1_000, outcome: 'not_sent' })
    expect(server.requests).toHaveLength(1)
  })

  it('stop when the next attempt would begin after the deadline', async () => {
    const { client, server, clock } = await connect(
      { deadlineMs: 40_000 },
      failure(503, 'SERVICE_BUSY', {}, { 'retry-after': '20' }),
    )
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'SERVICE_BUSY' })
    expect(server.requests).toHaveLength(2)
    expect(clock.waits).toEqual([20_250])
  })
})

describe('a time-out', () => {
  it('ends an attempt that is not answered, and a read is tried again', async () => {
    const { client, server, clock } = await connect({ timeoutMs: 1_000 }, hang, me)
    const call = client.account.me()
    await server.arrived(1)
    clock.advance(999)
    expect(server.requests).toHaveLength(1)
    clock.advance(1)
    await call
    await server.requests[0]?.closed
    expect(server.requests).toHaveLength(2)
  })

  it('covers the body, not only the head of an answer', async () => {
    const { client, server, clock } = await connect({ maxRetries: 0 }, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"success":')
    })
    const call = errorFrom(client.account.me({}, { timeoutMs: 500 }))
    await server.arrived(1)
    clock.advance(500)
    expect(await call).toMatchObject({ code: 'TIMEOUT', message: 'There was no complete answer within 500 ms.' })
  })

  it('leaves a send in doubt', async () => {
    const { client, server, clock } = await connect({}, hang)
    const call = errorFrom(client.alert.send(send))
    await server.arrived(1)
    clock.advance(30_000)
    expect(await call).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', status: undefined })
  })

  it('of a list of numbers is 60 s, since the service may ask the network for 25 s', async () => {
    const { client, server, clock } = await connect({ maxRetries: 0 }, hang)
    const call = errorFrom(client.recipients.validate({ phones: ['+12025550100'] }))
    await server.arrived(1)
    clock.advance(59_999)
    clock.advance(1)
    expect((await call).message).toContain('60000 ms')
  })

  it('is cut short by the deadline of the whole call', async () => {
    const { client, server, clock } = await connect({ deadlineMs: 45_000 }, hang)
    const call = errorFrom(client.account.me())
    await server.arrived(1)
    clock.advance(30_000)
    await server.arrived(2)
    clock.advance(14_750)
    expect((await call).message).toContain('14750 ms')
    expect(server.requests).toHaveLength(2)
  })

  it('works with a transport that ignores its signal', async () => {
    const deaf: Transport = () => new Promise(() => {})
    const { client, clock } = await connect({ fetch: deaf, maxRetries: 0 }, hang)
    const call = errorFrom(client.account.me())
    clock.advance(30_000)
    expect(await call).toMatchObject({ code: 'TIMEOUT' })
  })
})

describe('an abort', () => {
  it('ends a request under way and closes its connection; a send is then in doubt', async () => {
    const { client, server } = await connect({}, hang)
    const controller = new AbortController()
    const call = errorFrom(client.alert.send(send, { signal: controller.signal }))
    await server.arrived(1)
    controller.abort(new Error('enough'))
    const error = await call
    expect(error).toMatchObject({ code: 'ABORTED', outcome: 'unknown' })
    expect(error.cause).toMatchObject({ message: 'enough' })
    await server.requests[0]?.closed
  })

  it('before the call sends nothing', async () => {
    const { client, server } = await connect({}, me)
    const error = await errorFrom(client.alert.send(send, { signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' })
    expect(server.requests).toHaveLength(0)
  })

  it('ends the wait between two attempts', async () => {
    const busy = failure(503, 'SERVICE_BUSY', {}, { 'retry-after': '20' })
    const { client, server, clock } = await connect({}, busy)
    const controller = new AbortController()
    clock.duringWait = () => controller.abort()
    const error = await errorFrom(client.alert.send(send, { signal: controller.signal }))
    expect(error).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' })
    expect(server.requests).toHaveLength(1)
  })
})
