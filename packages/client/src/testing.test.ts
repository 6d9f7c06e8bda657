import { contract, type LoggedEvent, type Route } from '@msgctl/contract'
import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it } from 'vitest'
import { isMessagingError } from './error.ts'
import { carriesSuccess, matchRoute, type RouteId, successStatus } from './in-memory/routes.ts'
import { errorFrom } from './test/connect.ts'
import { eventFixtures, eventOf, fakeService, signedDelivery, testSecret } from './testing.ts'

const send = { phone: '+12025550100', message: 'hello' }
const queued = {
  messageId: '0b54cf2e-8f0f-4b6b-9a57-6c1d7a9e2f10',
  status: 'queued',
  priority: 'normal',
  containerId: '5f0c7a52-3d57-4a6e-9d0b-1f6a3c2b4e11',
} as const

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
    expect(await client.messages.get({ id: 'a b' })).toMatchObject({ message: { id: 'a b' } })
    expect(fake.calls).toMatchObject([
      { route: 'alert.send', input: send, idempotencyKey: expect.any(String) },
      { route: 'messages.get', input: { id: 'a b' }, idempotencyKey: undefined },
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
    const error = await errorFrom(fakeService().client().account.me())
    expect(error.code).toBe('ROUTE_NOT_FOUND')
    expect(error.message).toContain("answer('account.me'")
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

  it.each(routes)('knows the route %s', (id, route) => {
    const [method = '', path = ''] = route.endpoint.split(' ')
    expect(matchRoute(method, path.replace(/:(\w+)/g, 'x'))).toMatchObject({ id })
    expect(successStatus(id)).toBe(route.status)
    const { response } = route as { response: { shape?: object; options?: readonly { shape?: object }[] } }
    const parts = response.options ?? [response]
    expect(carriesSuccess(id)).toBe(parts.every(({ shape }) => shape !== undefined && 'success' in shape))
  })
})

describe('the helpers for tests of receivers', () => {
  it('are an example of every event, and deliveries that verify', async () => {
    const { body, headers } = await signedDelivery(eventFixtures['message.failed'])
    expect(await verify(body, headers, testSecret)).toMatchObject(eventFixtures['message.failed'])
  })
})

it('has the statuses of the contract for the routes of a fake', () => {
  for (const [id, { status }] of routes) expect([id, successStatus(id)]).toEqual([id, status])
  fakeService().failOnce('alert.send', 'NUMBER_NOT_ON_NETWORK')
})
