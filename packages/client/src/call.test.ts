import { describe, expect, it } from 'vitest'
import { version } from './generated/version.ts'
import { apiKey, connect, errorFrom } from './test/connect.ts'
import { type Answer, failure, hang, json } from './test/scripted-server.ts'
import type { Transport } from './transport.ts'

const me = json(200, { success: true, name: 'Ada' })
const send = { phone: '+12025550100', message: 'hello' }

describe('a call', () => {
  it('sends the flat input in path, query and body, with the key', async () => {
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

  it('sends a token as a bearer token', async () => {
    const { client, server } = await connect({ apiKey: undefined, token: 'tok' }, me)
    await client.account.me()
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer tok' })
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  it('returns the data, and with withResponse also status, headers and request id', async () => {
    const { client } = await connect({}, me)
    expect(await client.account.me()).toEqual({ success: true, name: 'Ada' })
    const { data, response, requestId } = await client.account.me.withResponse()
    expect(data).toEqual({ success: true, name: 'Ada' })
    expect([response.status, response.headers.get('x-request-id'), requestId]).toEqual([200, 'req-1', 'req-1'])
  })

  it('decides success by the status, never by the field', async () => {
    const { client } = await connect({}, json(200, { success: false, odd: true }))
    expect(await client.account.me()).toEqual({ success: false, odd: true })
  })

  it('rejects a missing path parameter before anything is sent', async () => {
    const { client, server } = await connect({}, me)
    await expect(client.messages.get({} as { id: string })).rejects.toThrow('GET /messages/:id: id is missing.')
    expect(server.requests).toHaveLength(0)
  })

  it('keeps a connection open after it read the response, and closes it otherwise', async () => {
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

  it('reaches a path outside the resources through request', async () => {
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

describe('a success without a body', () => {
  const empty: Answer = (response) => void response.writeHead(204).end()

  it('is an error of a call, whose response has one, and undefined of a request', async () => {
    const { client } = await connect({}, empty)
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'INVALID_RESPONSE', outcome: undefined })
    const error = await errorFrom(client.alert.send(send))
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', outcome: 'unknown', endpoint: 'POST /alert/send' })
    expect((await client.request('DELETE', '/x')).data).toBeUndefined()
  })
})

describe('withOptions', () => {
  it('returns a client that differs in these options only', async () => {
    const { client, server } = await connect({ headers: { 'x-a': '1' } }, json(200, { success: true }))
    await client.withOptions({ headers: { 'x-b': '2' } }).account.me()
    expect(server.requests[0]?.headers).toMatchObject({ 'x-b': '2', 'x-api-key': apiKey })
    expect(server.requests[0]?.headers).not.toHaveProperty('x-a')
  })
})

describe('the User-Agent', () => {
  it('names this version, unless the caller sets another', async () => {
    const { client, server } = await connect({}, json(200, { success: true }))
    await client.account.me()
    await client.account.me({}, { headers: { 'User-Agent': 'shop/2' } })
    const agents = server.requests.map(({ headers }) => headers['user-agent'])
    expect(agents).toEqual([`msgctl-client/${version}`, 'shop/2'])
  })
})

describe('an error', () => {
  it('carries the fields of the envelope', async () => {
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

  it('is thrown for a success that is not JSON; the outcome of a send is then unknown', async () => {
    const { client, server } = await connect({}, (response) => {
      response.writeHead(200).end('<html>Welcome to our network</html>')
    })
    const error = await errorFrom(client.alert.send(send))
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200, outcome: 'unknown' })
    expect(server.requests).toHaveLength(1)
  })

  it('reports a redirect and does not follow it', async () => {
    const { client, server } = await connect({}, (response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const error = await errorFrom(client.alert.send(send))
    expect(error).toMatchObject({ code: 'REDIRECTED', status: 302, details: { location: '/elsewhere' } })
    expect(error.message).toContain('not followed')
    expect(server.requests).toHaveLength(1)
  })

  it('recognizes a redirect that a browser reports as status 0', async () => {
    const opaque: Transport = async () => ({ status: 0, headers: new Headers(), body: null })
    const { client } = await connect({ fetch: opaque }, hang)
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'REDIRECTED' })
  })

  it('stops reading a response that is larger than any of the service', async () => {
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
