import { randomUUID } from 'node:crypto'
import { MessagingClient } from '@msgctl/client'
import { fakeService } from '@msgctl/client/testing'
import type { LoggedEvent } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { append, needsScan, recovered } from './features/events.ts'
import { makeNumber, makeOrganization } from './make.ts'
import { startTestServer } from './start-server.ts'

const server = await startTestServer()

type Transport = NonNullable<NonNullable<ConstructorParameters<typeof MessagingClient>[0]>['fetch']>

/** What the suite needs of a service: it takes sends and one-time codes, and events happen in it. */
interface Harness {
  readonly baseUrl: string
  readonly apiKey: string
  readonly transport: Transport
  /** How many sends were accepted. */
  sends(): Promise<number>
  /** Makes the send `hello` fail once; a repeat succeeds. */
  refuseOnce(send: () => Promise<Seen>): Promise<Seen>
  /** The id of a request for a one-time code; `000000` is not the code. */
  otpRequest(): Promise<string>
  /** Asks for a one-time code sooner than the service allows. */
  otpTooSoon(send: () => Promise<Seen>): Promise<Seen>
  report(kind: 'recovered' | 'needs scan', mark: string): Promise<void>
}

/** A response as it arrived. */
interface Seen {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | null
  // biome-ignore lint/suspicious/noExplicitAny: the suite knows what it asked for.
  readonly body: any
}

async function theServer(): Promise<Harness> {
  const organization = await makeOrganization(server)
  await makeNumber(server, organization)
  const client = server.client(organization)
  return {
    baseUrl: server.baseUrl,
    apiKey: organization.apiKey,
    transport: fetch as Transport,
    sends: async () => (await client.messages.list()).total,
    async refuseOnce(send) {
      await client.numbers.stop({})
      const refused = await send()
      await client.numbers.start({})
      await expect.poll(async () => (await client.numbers.status()).status).toBe('WORKING')
      return refused
    },
    otpRequest: async () => (await client.otp.send({ phone: '+12025550121', length: 8 })).requestId,
    async otpTooSoon(send) {
      await send()
      return send()
    },
    report(kind, mark) {
      const make = kind === 'recovered' ? recovered : needsScan
      return append(server.services, make(organization.organizationId, mark))
    },
  }
}

async function theFake(): Promise<Harness> {
  const fake = fakeService()
  fake.answer('alert.send', () => ({
    messageId: randomUUID(),
    status: 'queued',
    priority: 'normal',
    containerId: randomUUID(),
  }))
  fake.answer('alert.batch', () => ({ total: 1, queued: 1, failed: 0, messages: [] }) as never)
  fake.answer('webhook.set', { webhookUrl: null, signingSecret: null })
  return {
    baseUrl: 'https://fake.invalid/api/v1',
    apiKey: 'fake',
    transport: fake.fetch,
    sends: async () => fake.calls.filter(({ route }) => route === 'alert.send').length,
    refuseOnce(send) {
      fake.failOnce('alert.send', 'NO_SESSION_CONFIGURED', { reason: 'no_number_connected' } as never)
      return send()
    },
    async otpRequest() {
      fake.failOnce('otp.verify', 'OTP_INVALID_CODE', { attemptsRemaining: 2 })
      return randomUUID()
    },
    otpTooSoon(send) {
      fake.failOnce('otp.send', 'OTP_RATE_LIMITED', { retryAfterSeconds: 30 } as never)
      return send()
    },
    async report(kind, mark) {
      const { event, data } = (kind === 'recovered' ? recovered : needsScan)(randomUUID(), mark)
      fake.emit({ id: randomUUID(), event, data, timestamp: new Date().toISOString() } as LoggedEvent)
    },
  }
}

function caller({ baseUrl, apiKey, transport }: Harness) {
  return async (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Seen> => {
    const { signal } = new AbortController()
    const response = (await transport(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    })) as Response
    const text = await response.text()
    return { status: response.status, text, header: (name) => response.headers.get(name), body: JSON.parse(text) }
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const hello = { phone: '+12025550100', message: 'hello' }
const key = (value: string) => ({ 'idempotency-key': value })

/**
 * The promises of the published fake. They are cases for the server too: where one of both differs, the suite fails.
 */
describe.each([
  ['the server', theServer],
  ['the fake of @msgctl/client/testing', theFake],
])('%s', (_name, makeHarness) => {
  it('accepts a send with a request id, and returns the Idempotency-Key of the request', async () => {
    const call = caller(await makeHarness())
    const sent = await call('POST', '/alert/send', hello, key('order-1'))
    expect(sent.status).toBe(201)
    expect(sent.body).toMatchObject({ success: true, messageId: expect.stringMatching(uuid), status: 'queued' })
    expect(sent.header('content-type')).toMatch(/^application\/json/)
    expect(sent.header('x-request-id')).toMatch(uuid)
    expect([sent.header('idempotency-key'), sent.header('idempotency-replayed')]).toEqual(['order-1', null])
    expect((await call('POST', '/alert/send', hello)).header('idempotency-key')).toBeNull()
  })

  it('returns the first response to a repeat, whatever the order of the fields, and sends once', async () => {
    const harness = await makeHarness()
    const call = caller(harness)
    const first = await call('POST', '/alert/send', hello, key('order-2'))
    const { phone, message } = hello
    const second = await call('POST', '/alert/send', { message, phone }, key('order-2'))
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.header('idempotency-replayed')).toBe('true')
    expect(await harness.sends()).toBe(1)
  })

  it('refuses a key for another input, and takes it for another route', async () => {
    const call = caller(await makeHarness())
    await call('POST', '/alert/send', hello, key('order-3'))
    const other = await call('POST', '/alert/send', { ...hello, message: 'other' }, key('order-3'))
    expect([other.status, other.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(other.body.error.details).toEqual({ reason: 'idempotency_mismatch' })
    expect(other.header('idempotency-key')).toBe('order-3')
    const batch = { recipients: [hello.phone], message: hello.message }
    expect((await call('POST', '/alert/batch', batch, key('order-3'))).status).toBe(201)
  })

  it('refuses a malformed key, and ignores one on a route that takes none', async () => {
    const call = caller(await makeHarness())
    const { status, body } = await call('POST', '/alert/send', hello, key('not a key'))
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(Object.keys(body.error.details)).toEqual(['Idempotency-Key'])
    const set = await call('PUT', '/me/webhook', { webhookUrl: null }, key('not a key'))
    expect([set.status, set.header('idempotency-key')]).toEqual([200, null])
  })

  it('lets a request that was refused be repeated under its key', async () => {
    const harness = await makeHarness()
    const call = caller(harness)
    const send = () => call('POST', '/alert/send', hello, key('order-4'))
    const refused = await harness.refuseOnce(send)
    expect(refused.body).toMatchObject({ success: false, error: { code: 'NO_SESSION_CONFIGURED' } })
    expect(refused.header('idempotency-key')).toBe('order-4')
    const sent = await send()
    expect([sent.status, sent.header('idempotency-replayed')]).toEqual([201, null])
  })

  it('reports an error with the status and the details of its code, and its request id in a header too', async () => {
    const harness = await makeHarness()
    const call = caller(harness)
    const requestId = await harness.otpRequest()
    const { status, body, header } = await call('POST', '/otp/verify', { requestId, code: '000000' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      success: false,
      error: { code: 'OTP_INVALID_CODE', details: { attemptsRemaining: 2 } },
    })
    expect(body.error.message).not.toBe('')
    expect(body.error.requestId).toBe(header('x-request-id'))
  })

  it('has a header with the time to wait, too', async () => {
    const harness = await makeHarness()
    const call = caller(harness)
    const { status, body, header } = await harness.otpTooSoon(() =>
      call('POST', '/otp/send', { phone: '+12025550122' }),
    )
    expect([status, body.error.code]).toEqual([429, 'OTP_RATE_LIMITED'])
    expect(header('retry-after')).toBe(String(body.error.details.retryAfterSeconds))
  })

  it.each([
    ['GET', '/no-such-path'],
    ['DELETE', '/alert/send'],
  ])('has no route %s %s', async (method, path) => {
    const { status, body } = await caller(await makeHarness())(method, path)
    expect([status, body.error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  it('has its effect once when the response is lost and the client repeats it', async () => {
    const harness = await makeHarness()
    const { apiKey, baseUrl, transport } = harness
    let lost = 0
    const losing: Transport = async (url, request) => {
      const response = await transport(url, request)
      lost += 1
      if (lost === 1) throw Object.assign(new TypeError('lost'), { code: 'ECONNRESET' })
      return response
    }
    const client = new MessagingClient({ apiKey, baseUrl, fetch: losing, idempotency: 'trusted' })
    await client.alert.send(hello)
    expect([lost, await harness.sends()]).toEqual([2, 1])
  })

  it('streams what happens after it was opened, and resumes after an event, of the requested kinds', async () => {
    const harness = await makeHarness()
    const { apiKey, baseUrl, transport } = harness
    const client = new MessagingClient({ apiKey, baseUrl, fetch: transport })
    await harness.report('recovered', 'before')
    let isOpen = false
    const noticing: Transport = async (url, request) => {
      const response = await transport(url, request)
      isOpen = true
      return response
    }
    const live = new MessagingClient({ apiKey, baseUrl, fetch: noticing }).events.stream()
    const first = live.next()
    await expect.poll(() => isOpen).toBe(true)
    for (const mark of ['one', 'two']) await harness.report('recovered', mark)
    await harness.report('needs scan', 'three')
    const seen = (await first).value as LoggedEvent
    expect(seen).toMatchObject({ event: 'session.recovered', data: { session: 'one' } })
    expect(Object.keys(seen).sort()).toEqual(['data', 'event', 'id', 'timestamp'])
    await live.return()

    const resumed = client.events.stream({ after: seen.id })
    expect((await resumed.next()).value).toMatchObject({ data: { session: 'two' } })
    await resumed.return()
    const picked = client.events.stream({ after: seen.id, types: ['session.needs_scan'] })
    expect((await picked.next()).value).toMatchObject({ event: 'session.needs_scan', data: { session: 'three' } })
    await picked.return()
  })

  it('begins a stream with a position: a client that reconnects before the first event misses none', async () => {
    const harness = await makeHarness()
    const { apiKey, baseUrl, transport } = harness
    const leave = new AbortController()
    const options = { method: 'GET', redirect: 'manual' as const, signal: leave.signal }
    const headers = { 'x-api-key': apiKey, accept: 'text/event-stream' }
    const response = (await transport(`${baseUrl}/events/stream`, { ...options, headers })) as Response
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const reader = response.body?.getReader()
    const text = new TextDecoder().decode((await reader?.read())?.value)
    const position = /^id: (.+)$/m.exec(text)?.[1]
    expect(text).toMatch(/^: /)
    leave.abort()
    await harness.report('recovered', 'while away')
    const client = new MessagingClient({ apiKey, baseUrl, fetch: transport })
    const resumed = client.events.stream({ after: position ?? '' })
    expect((await resumed.next()).value).toMatchObject({ data: { session: 'while away' } })
    await resumed.return()
  })

  it('refuses to resume a stream after an event that it does not have', async () => {
    const call = caller(await makeHarness())
    const { status, body } = await call('GET', `/events/stream?after=${randomUUID()}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(Object.keys(body.error.details)).toEqual(['after'])
  })
})

it.each([
  ['POST', '/alert/send', { phone: 'abc', message: '', priority: 'soon' }],
  ['POST', '/alert/send', {}],
  ['GET', '/messages?limit=1000&status=lost', undefined],
  ['GET', '/messages/none', undefined],
  ['POST', '/reminders', { ...hello, sendAt: 'tomorrow' }],
])('the fake refuses %s %s %j with the words of the server', async (method, path, body) => {
  const [ofServer, ofFake] = await Promise.all(
    [theServer, theFake].map(async (makeHarness) => {
      const { status, body: refused } = await caller(await makeHarness())(method, path, body)
      return { status, error: { ...refused.error, requestId: null } }
    }),
  )
  expect(ofServer?.status).toBe(400)
  expect(ofFake).toEqual(ofServer)
})
