import { contract, type LoggedEvent, type Route } from '@msgctl/contract'
import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { isMessagingError } from './error.ts'
import { matchRoute, type RouteId } from './in-memory/routes.ts'
import { errorFrom } from './test/connect.ts'
import { eventFixtures, eventOf, exampleOf, fakeService, signedDelivery, testSecret } from './testing.ts'
import type { OutputOf } from './types.ts'

const send = { phone: '+12025550100', message: 'hello' }
const queued = {
  messageId: '0b54cf2e-8f0f-4b6b-9a57-6c1d7a9e2f10',
  status: 'queued',
  priority: 'normal',
  containerId: '5f0c7a52-3d57-4a6e-9d0b-1f6a3c2b4e11',
} as const

const inputOfReminder = { phone: '+12025550100', message: 'hello', sendAt: '2030-01-01T09:00:00Z' }

const routes = Object.entries(contract).flatMap(([resource, table]) =>
  Object.entries<Route>({ ...table }).map(([name, route]) => [`${resource}.${name}` as RouteId, route] as const),
)

describe('the fake service', () => {
  it('returns the set responses and records the calls', async () => {
    const fake = fakeService()
    fake.answer('alert.send', queued)
    fake.answer('messages.get', ({ id }) => ({ message: { id } }) as never)
    const client = fake.client()
    expect(await client.alert.send(send)).toEqual({ success: true, ...queued })
    expect(await client.messages.get({ id: queued.messageId })).toMatchObject({ message: { id: queued.messageId } })
    expect(fake.calls).toMatchObject([
      { route: 'alert.send', input: send, idempotencyKey: expect.any(String) },
      { route: 'messages.get', input: { id: queued.messageId }, idempotencyKey: undefined },
    ])
  })

  it('fails once with the status and the details of the code', async () => {
    const fake = fakeService()
    fake.answer('otp.verify', { verified: true, phone: '12025550100' } as never)
    fake.failOnce('otp.verify', 'OTP_INVALID_CODE', { attemptsRemaining: 2 })
    const client = fake.client()
    const input = { requestId: queued.messageId, code: '123456' }
    const error = await errorFrom(client.otp.verify(input))
    expect(isMessagingError(error, 'OTP_INVALID_CODE') && error.details.attemptsRemaining).toBe(2)
    expect(error.status).toBe(400)
    expect(await client.otp.verify(input)).toMatchObject({ success: true, verified: true })
  })

  it('loses a response after the effect: without trust the outcome is unknown, else a retry is the send', async () => {
    const fake = fakeService()
    let count = 0
    fake.answer('alert.send', () => ({ ...queued, messageId: `m-${++count}` }))
    fake.loseOnce('alert.send')
    const error = await errorFrom(fake.client().alert.send(send))
    expect([error.code, error.outcome, fake.calls.length]).toEqual(['CONNECTION_FAILED', 'unknown', 1])
    fake.loseOnce('alert.send')
    const { messageId } = await fake.client({ idempotency: 'trusted' }).alert.send(send)
    expect([messageId, fake.calls.length]).toEqual(['m-2', 2])
  })

  it('replays the response for a key with the same input, and rejects another input', async () => {
    const fake = fakeService()
    fake.answer('alert.send', queued)
    const client = fake.client()
    const key = { idempotencyKey: 'order-7' }
    await client.alert.send(send, key)
    await client.alert.send(send, key)
    expect(fake.calls).toHaveLength(1)
    expect((await errorFrom(client.alert.send({ ...send, message: 'other' }, key))).code).toBe('CONFLICT')
  })

  it('names a missing response at once', async () => {
    const error = await errorFrom(fakeService().client().request('GET', '/openapi.json'))
    expect(error.code).toBe('ROUTE_NOT_FOUND')
    expect(error.message).toContain("answer('openapi.document'")
  })

  it('refuses what the contract refuses, and records only what it accepts', async () => {
    const fake = fakeService()
    const client = fake.client()
    const error = await errorFrom(client.alert.send({ phone: 'abc', message: '' }))
    expect([error.code, error.status]).toEqual(['VALIDATION_ERROR', 400])
    expect(error.issues?.map(({ field }) => field)).toEqual(['phone', 'message', 'message'])
    expect((await errorFrom(client.messages.get({ id: 'm-1' }))).code).toBe('INVALID_ID')
    expect((await errorFrom(client.messages.list({ limit: 1000 }))).code).toBe('VALIDATION_ERROR')
    expect((await errorFrom(client.events.stream({ types: 'nothing' as never }).next())).code).toBe('VALIDATION_ERROR')
    expect(fake.calls).toEqual([])
  })

  it('responds with examples, and gives what a call makes an id of its own', async () => {
    const client = fakeService().client()
    const { name } = await client.account.me()
    expect(name).toBe(exampleOf('account.me').name)
    const first = await client.alert.send(send)
    const second = await client.alert.send(send)
    expect(first).toMatchObject({ success: true, status: 'queued' })
    expect(first.messageId).not.toBe(second.messageId)
    const reminders = await Promise.all([1, 2].map(() => client.reminders.create(inputOfReminder)))
    expect(new Set(reminders.map(({ reminder }) => reminder.id)).size).toBe(2)
    expect((await client.chats.attachment({ id: queued.messageId })).mimetype).toBe('image/jpeg')
  })

  it('has examples to change, of the types of the client', async () => {
    const fake = fakeService()
    const { message, timeline } = exampleOf('messages.get')
    expectTypeOf(message).toEqualTypeOf<OutputOf<'messages.get'>['message']>()
    fake.answer('messages.get', { message: { ...message, status: 'failed', errorCode: 'MESSAGE_EXPIRED' }, timeline })
    expect((await fake.client().messages.get({ id: message.id })).message.errorCode).toBe('MESSAGE_EXPIRED')
    message.status = 'failed'
    expect(exampleOf('messages.get').message.status).not.toBe('failed')
  })

  it('fails only with codes that the call has', () => {
    const fake = fakeService()
    fake.failOnce('otp.verify', 'OTP_INVALID_CODE', { attemptsRemaining: 2 })
    // @ts-expect-error this call never fails so
    fake.failOnce('otp.verify', 'CAMPAIGN_INVALID_STATE', { status: 'draft' })
  })

  it('says when a stream is open, so that no event is lost', async () => {
    const fake = fakeService()
    const stream = fake.client().events.stream({ types: ['message.read'] })
    const next = stream.next()
    await fake.streamOpened()
    fake.emit({ id: 'a', ...eventOf('message.read') })
    expect((await next).value).toMatchObject({ id: 'a' })
    await fake.streamOpened()
    expect(fake.calls).toMatchObject([{ route: 'events.stream', input: { types: 'message.read' } }])
    await stream.return()
  })

  it('streams events as they are emitted, and resumes after one', async () => {
    const fake = fakeService()
    const events = ['a', 'b', 'c'].map((id) => ({ id, ...eventOf('message.read') }) satisfies LoggedEvent)
    for (const event of events.slice(0, 2)) fake.emit(event)
    const stream = fake.client().events.stream({ after: 'a' })
    expect((await stream.next()).value).toEqual(events[1])
    const next = stream.next()
    fake.emit({ id: 'other', ...eventOf('message.failed') })
    expect((await next).value).toMatchObject({ id: 'other', event: 'message.failed' })
    await stream.return()
  })

  it('advises on a lost position as the service does on a stream', async () => {
    const stream = fakeService().client().events.stream({ after: 'lost' })
    await expect(stream.next()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('pass since instead to start from a time; without either, a stream starts now'),
    })
  })

  it.each(routes)('knows the route %s, and accepts its example', async (id, route) => {
    const [method = '', path = ''] = route.endpoint.split(' ')
    expect(matchRoute(method, path.replace(/:(\w+)/g, 'x'))).toMatchObject({ id, route })
    if (route.stream || route.download || id === 'openapi.document') return
    const fake = fakeService()
    const input: Record<string, unknown> = { ...route.example.input }
    const filled = path.replace(/:(\w+)/g, (_, key: string) => {
      const value = encodeURIComponent(String(input[key]))
      delete input[key]
      return value
    })
    const { response } = await fake.client().request(method, filled, input as never)
    expect(response.status).toBe(route.status)
    expect(fake.calls.map((call) => call.route)).toEqual([id])
  })
})

describe('the helpers for tests of receivers', () => {
  it('are an example of every event, and deliveries that verify', async () => {
    const { body, headers } = await signedDelivery(eventFixtures['message.failed'])
    expect(await verify(body, headers, testSecret)).toMatchObject(eventFixtures['message.failed'])
  })
})
