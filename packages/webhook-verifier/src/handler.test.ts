import { describe, expect, it } from 'vitest'
import { createHandler, type EventHandlers } from './handler.ts'
import { body, deliveryId, now, otherSecret, reasonOf, secret, signedHeaders } from './test/signed-delivery.ts'

const replay = { 'x-service-replay': 'true' }
const withId = (id: string) => ({ 'x-service-delivery': id })

/** A handler, and a way to deliver to it: each delivery is signed at another time. */
function receiver(handlers: EventHandlers, store: Set<string> | undefined = new Set()) {
  const handle = createHandler(handlers, { secret, store, now })
  let after = 0
  const deliver = async (extra: Record<string, string> = {}, text = body) =>
    (await handle(text, await signedHeaders({ body: text, extra, after: after++ }))).outcome
  return { deliver, store }
}

describe('createHandler', () => {
  it('runs the function of the event type with the verified event', async () => {
    const seen: unknown[] = []
    const { deliver } = receiver({ 'message.failed': (event) => seen.push(event.data.error, event.deliveryId) })
    expect(await deliver()).toBe('handled')
    expect(seen).toEqual(['not on the network', deliveryId])
  })

  it('ignores types without a function, and passes them to * if it exists', async () => {
    expect(await receiver({ 'message.read': () => expect.fail() }).deliver()).toBe('ignored')
    const kinds: string[] = []
    const { deliver } = receiver({ 'message.read': () => expect.fail(), '*': (event) => kinds.push(event.event) })
    expect(await deliver()).toBe('handled')
    expect(await deliver(withId('new-kind'), body.replace('message.failed', 'message.edited'))).toBe('handled')
    expect(kinds).toEqual(['message.failed', 'message.edited'])
  })

  it.each(['constructor', '__proto__', 'toString'])('finds no function for an event named %s', async (kind) => {
    const { deliver } = receiver({ 'message.failed': () => expect.fail() })
    expect(await deliver({}, body.replace('message.failed', kind))).toBe('ignored')
  })

  it('runs nothing for a request that is refused', async () => {
    const handle = createHandler({ '*': () => expect.fail() }, { secret, now })
    expect(await reasonOf(handle(body, await signedHeaders({ secret: otherSecret })))).toBe('no_matching_signature')
  })
})

describe('duplicates', () => {
  it('are dropped once the handler has succeeded', async () => {
    let runs = 0
    const { deliver, store } = receiver({ 'message.failed': () => ++runs })
    expect([await deliver(), await deliver(), runs]).toEqual(['handled', 'duplicate', 1])
    expect(store).toEqual(new Set([deliveryId]))
  })

  it('run again when the handler failed, because it was not recorded', async () => {
    let runs = 0
    const { deliver, store } = receiver({
      'message.failed': async () => {
        if (++runs === 1) throw new Error('the database is away')
      },
    })
    await expect(deliver()).rejects.toThrow('the database is away')
    expect(store?.size).toBe(0)
    expect([await deliver(), await deliver(), runs]).toEqual(['handled', 'duplicate', 2])
  })

  it('run once when they come at the same time', async () => {
    let runs = 0
    const { deliver } = receiver({ 'message.failed': async () => ++runs })
    const outcomes = await Promise.all([deliver(), deliver(), deliver()])
    expect([outcomes.sort(), runs]).toEqual([['duplicate', 'duplicate', 'handled'], 1])
  })

  it('are recognized by the delivery id: another id runs', async () => {
    let runs = 0
    const { deliver } = receiver({ 'message.failed': () => ++runs })
    await deliver(withId('one'))
    await deliver(withId('two'))
    expect(runs).toBe(2)
  })

  it('run every time when there is no delivery id or no store', async () => {
    let runs = 0
    const counting = { 'message.failed': () => ++runs }
    const withoutId = receiver(counting)
    await withoutId.deliver(withId(''))
    await withoutId.deliver(withId(''))
    const withoutStore = createHandler(counting, { secret, now })
    await withoutStore(body, await signedHeaders())
    expect((await withoutStore(body, await signedHeaders({ after: 1 }))).outcome).toBe('handled')
    expect(runs).toBe(4)
  })

  it('run as often as they are replayed, and stay recorded', async () => {
    let runs = 0
    const { deliver } = receiver({ 'message.failed': () => ++runs })
    const outcomes = [await deliver(), await deliver(replay), await deliver(replay), await deliver()]
    expect(outcomes).toEqual(['handled', 'handled', 'handled', 'duplicate'])
    expect(runs).toBe(3)
  })

  it('run again when the store failed to record the first', async () => {
    let runs = 0
    const store = { has: async () => false, add: async () => Promise.reject(new Error('the store is full')) }
    const handle = createHandler({ 'message.failed': () => ++runs }, { secret, store, now })
    const deliver = async () => handle(body, await signedHeaders())
    await expect(deliver()).rejects.toThrow('the store is full')
    await expect(deliver()).rejects.toThrow('the store is full')
    expect(runs).toBe(2)
  })
})
