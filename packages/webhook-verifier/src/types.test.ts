import type { EventData } from '@msgctl/contract'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createFetchHandler } from './fetch.ts'
import type { EventHandlers, KnownEvent, KnownKind, UnknownEvent, VerifiedEvent, WebhookHeaders } from './index.ts'
import { createHandler } from './index.ts'
import { body, now, secret, signedHeaders } from './test/signed-delivery.ts'
import { verify } from './verify.ts'

/** The compiler does the checking here; the assertions hold the same code against a real event. */
describe('the types of a verified event', () => {
  const received = async () => verify(body, await signedHeaders(), secret, { now })

  it('narrow data by event', async () => {
    const event: VerifiedEvent = await received()
    expect(event.event).toBe('message.failed')
    if (event.event === 'message.failed') {
      expectTypeOf(event).toEqualTypeOf<KnownEvent<'message.failed'>>()
      expectTypeOf(event.data).toEqualTypeOf<EventData<'message.failed'>>()
      expect(event.data.error).toBe('not on the network')
    }
    if (event.event === 'message.inbound') expectTypeOf(event.data.sender).toEqualTypeOf<string>()
    // @ts-expect-error a field that message.read does not have
    if (event.event === 'message.read') expect.fail(event.data.errorCode)
  })

  it('keep unknown event types usable after every known one', async () => {
    const text = body.replace('message.failed', 'message.edited')
    const event: VerifiedEvent = await verify(text, await signedHeaders({ body: text }), secret, { now })
    const kind: string = event.event
    expect(kind).toBe('message.edited')
    switch (event.event) {
      case 'message.failed':
        expectTypeOf(event).toEqualTypeOf<KnownEvent<'message.failed'>>()
        break
      default:
        expectTypeOf(event).toEqualTypeOf<Exclude<VerifiedEvent, KnownEvent<'message.failed'>>>()
    }
    const isNewer = (one: VerifiedEvent): one is UnknownEvent => one.event === kind
    if (isNewer(event)) expectTypeOf(event.data.anything).toEqualTypeOf<unknown>()
    else expectTypeOf(event).toEqualTypeOf<KnownEvent>()
    if (event.event !== 'message.failed')
      expectTypeOf(event).toExtend<Exclude<VerifiedEvent, KnownEvent<'message.failed'>>>()
  })

  it('offer the names of known event types only, and any other name as a text', () => {
    /** The texts of a union, without the members of enums: editors offer these. */
    type Offered<Text extends string> = Text extends string ? (`${Text}` extends Text ? Text : never) : never
    expectTypeOf<Offered<VerifiedEvent['event']>>().toEqualTypeOf<KnownKind>()
    expectTypeOf<VerifiedEvent['event']>().toExtend<string>()
  })

  it('give each function the context that its adapter is given', async () => {
    interface Env {
      readonly secret: string
      readonly seen: string[]
    }
    const handle = createFetchHandler(
      { 'message.failed': (event, { seen }: Env) => seen.push(event.data.error) },
      { secret: ({ secret: own }) => own, now },
    )
    expectTypeOf(handle).parameters.toEqualTypeOf<[request: Request, context: Env]>()
    const env: Env = { secret, seen: [] }
    const delivery = new Request('http://127.0.0.1', { method: 'POST', body, headers: await signedHeaders() })
    expect((await handle(delivery, env)).status).toBe(204)
    expect(env.seen).toEqual(['not on the network'])
    // @ts-expect-error the context is missing
    expectTypeOf(handle).toBeCallableWith(delivery)
    const without: EventHandlers = {}
    expectTypeOf(createFetchHandler(without, { secret })).parameters.toEqualTypeOf<[request: Request]>()
    expectTypeOf(createFetchHandler<Env>(without, { secret })).toEqualTypeOf(handle)
  })

  it('give each function the event of its type, and * any event', async () => {
    const handlers: EventHandlers = {
      'message.failed': (event) => expectTypeOf(event).toEqualTypeOf<KnownEvent<'message.failed'>>(),
      'commerce.order': (event) => expectTypeOf(event.data.total).toEqualTypeOf<number>(),
      '*': (event) => expectTypeOf(event).toEqualTypeOf<VerifiedEvent>(),
    }
    const { outcome } = await createHandler(handlers, { secret, now })(body, await signedHeaders())
    expectTypeOf(outcome).toEqualTypeOf<'handled' | 'duplicate' | 'ignored'>()
    expect(outcome).toBe('handled')
    // @ts-expect-error no such kind of event
    expect(createHandler({ 'message.lost': () => {} }, { secret })).toBeTypeOf('function')
  })

  it('take the headers of fetch, node:http and Lambda', async () => {
    const request = new Request('http://127.0.0.1', { headers: await signedHeaders() })
    const node: import('node:http').IncomingHttpHeaders = await signedHeaders()
    const lambda: Record<string, string | undefined> = await signedHeaders()
    for (const headers of [request.headers, node, lambda] satisfies WebhookHeaders[])
      expect((await verify(body, headers, secret, { now })).replayed).toBe(false)
    expectTypeOf<'message.failed'>().toExtend<KnownKind>()
  })
})
