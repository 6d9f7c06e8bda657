import { type EventKind, eventKinds, webhookBody, webhookHeaders } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { createHandler, verify } from './index.ts'
import { otherSecret, reasonOf } from './test/signed-delivery.ts'
import { eventFixtures, eventOf, signedDelivery, testSecret } from './testing.ts'

describe('the event fixtures', () => {
  it("hold one event of every type that fits the contract's schema", () => {
    expect(Object.keys(eventFixtures).sort()).toEqual([...eventKinds].sort())
    for (const [kind, event] of Object.entries(eventFixtures)) {
      expect(
        webhookBody(kind as EventKind)
          .strict()
          .parse(event),
      ).toEqual(event)
    }
  })

  it('can be returned with other data, and stay unchanged', () => {
    const event = eventOf('message.failed', { recipient: '12025550177', errorCode: 'TIMEOUT' as never })
    expect(event.data).toEqual({
      ...eventFixtures['message.failed'].data,
      recipient: '12025550177',
      errorCode: 'TIMEOUT',
    })
    expect(eventFixtures['message.failed'].data.errorCode).toBe('NUMBER_NOT_ON_NETWORK')
  })
})

describe('signedDelivery', () => {
  it.each(eventKinds)('makes a delivery of %s that verify accepts, with the headers of the contract', async (kind) => {
    const { body, headers } = await signedDelivery(eventFixtures[kind])
    expect(await verify(body, headers, testSecret)).toMatchObject({ ...eventFixtures[kind], replayed: false })
    const named = Object.keys(webhookHeaders(kind).shape).map((name) => [name, headers[name.toLowerCase()]])
    expect(webhookHeaders(kind).parse(Object.fromEntries(named.filter(([, value]) => value)))).toBeTruthy()
  })

  it('creates old deliveries, replays, samples, and those of a rotation', async () => {
    const event = eventOf('message.read')
    const old = await signedDelivery(event, { timestampSeconds: 1_700_000_000 })
    expect(await reasonOf(verify(old.body, old.headers, testSecret))).toBe('timestamp_too_old')
    const sample = await signedDelivery(event, { sample: true })
    expect(await verify(sample.body, sample.headers, testSecret)).toMatchObject({ sample: true, replayed: false })
    const both = await signedDelivery(event, { secret: [testSecret, otherSecret], replayed: true, deliveryId: 'd-1' })
    for (const secret of [testSecret, otherSecret]) {
      expect(await verify(both.body, both.headers, secret)).toMatchObject({ replayed: true, deliveryId: 'd-1' })
    }
  })

  it('creates deliveries of unknown event types', async () => {
    const seen: string[] = []
    const handle = createHandler({ '*': (event) => seen.push(event.event) }, { secret: testSecret })
    const { body, headers } = await signedDelivery({ ...eventOf('message.read'), event: 'message.eaten' })
    await handle(body, headers)
    expect(seen).toEqual(['message.eaten'])
  })
})
