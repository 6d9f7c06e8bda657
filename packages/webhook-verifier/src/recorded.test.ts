import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHandler, type HandlerOptions } from './handler.ts'
import { headerValue } from './headers.ts'
import { memoryStore } from './run-once.ts'
import { sign } from './sign.ts'
import { receivers } from './test/receivers.ts'
import {
  body,
  deliveryId,
  now,
  nowSeconds,
  otherSecret,
  reasonOf,
  secret,
  signedHeaders,
} from './test/signed-delivery.ts'

/** A handler that counts its runs. `fails` makes the first so many runs fail. */
function receiver(options: Partial<HandlerOptions> = {}, fails = 0) {
  const counted = { runs: 0 }
  const run = () => {
    counted.runs += 1
    if (counted.runs <= fails) throw new Error('the database is away')
  }
  const handle = createHandler({ 'message.failed': run }, { secret, now, ...options })
  return Object.assign(counted, {
    deliver: async (headers: Record<string, string>, text = body) => (await handle(text, headers)).outcome,
  })
}

/** Every header that the source of the package names. */
const named = new Set(
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .flatMap((text) => text.match(/\bx-service-[\w-]+/gi) ?? [])
    .map((name) => name.toLowerCase()),
)

/** Everything that an attacker can change of a request without its secret, while its signature stays valid. */
async function recordings(): Promise<[string, Record<string, string>][]> {
  const others = [...named].filter((name) => !/-(?:delivery|signature)$/.test(name)).map((name) => [name, 'true'])
  const headers = await signedHeaders({ extra: { ...Object.fromEntries(others), 'x-service-event': 'message.failed' } })
  const { 'x-service-signature': signature } = headers
  const [time = '', mac = ''] = signature.split(',')
  const changed = Object.keys(headers).flatMap((name) => {
    const { [name as keyof typeof headers]: _, ...without } = headers as Record<string, string>
    const others = ['other', 'true', 'false', ''].map((value): [string, Record<string, string>] => {
      return [`${name}: ${value}`, { ...without, [name]: value }]
    })
    return [[`no ${name}`, without] as [string, Record<string, string>], ...others]
  })
  const forms = [
    `${mac},${time}`,
    `  ${time} , ${mac} `,
    `${signature},${mac}`,
    `${signature},v1=${'0'.repeat(64)}`,
    `v0=x,${signature},v2=y`,
    `${time},v1=${'0'.repeat(64)},${mac}`,
  ]
  return [
    ['nothing changed', headers],
    ...changed,
    ...forms.map((form): [string, Record<string, string>] => [form, { ...headers, 'x-service-signature': form }]),
  ]
}

describe('a recorded delivery', () => {
  it('has headers that the source names', () => {
    expect([...named]).toEqual(expect.arrayContaining(['x-service-replay', 'x-service-sample', 'x-service-signature']))
  })

  it.each([
    ['no store', undefined],
    ['a store', () => new Set<string>()],
  ])('runs once, whatever is changed in its headers, with %s', async (_, store) => {
    for (const [, changed] of await recordings()) {
      const receiving = receiver({ store: store?.() })
      expect(await receiving.deliver(await signedHeaders())).toBe('handled')
      const outcome = await reasonOf(receiving.deliver(changed)).then((reason) =>
        reason === 'accepted' ? receiving.deliver(changed) : 'refused',
      )
      expect(['duplicate', 'refused']).toContain(outcome)
      expect(receiving.runs).toBe(1)
    }
  })

  it('runs once when its copies arrive at the same time, with different ids', async () => {
    const receiving = receiver({ store: new Set<string>() })
    const ids = ['one', 'two', 'three']
    const copies = ids.map(async (id) =>
      receiving.deliver(await signedHeaders({ extra: { 'x-service-delivery': id } })),
    )
    expect((await Promise.all(copies)).sort()).toEqual(['duplicate', 'duplicate', 'handled'])
    expect(receiving.runs).toBe(1)
  })

  it('runs once when it was signed with two secrets, of which a copy has only one', async () => {
    const receiving = receiver({ secret: [secret, otherSecret] })
    const both = await sign(body, [secret, otherSecret], nowSeconds)
    const [time, first, second] = both.split(',')
    for (const signature of [both, `${time},${second}`, `${time},${first}`]) {
      await receiving.deliver({ 'x-service-signature': signature })
    }
    expect(receiving.runs).toBe(1)
  })

  it('runs once although a retry of the same event was a duplicate', async () => {
    const receiving = receiver({ store: new Set<string>() })
    const later = { 'x-service-signature': await sign(body, secret, nowSeconds + 5) }
    await receiving.deliver(await signedHeaders())
    expect(await receiving.deliver({ ...later, 'x-service-delivery': deliveryId })).toBe('duplicate')
    expect(await receiving.deliver({ ...later, 'x-service-delivery': 'another' })).toBe('duplicate')
    expect(receiving.runs).toBe(1)
  })

  it('is known to every process that shares the store of signatures', async () => {
    const signatures = new Set<string>()
    const [first, second] = [receiver({ signatures }), receiver({ signatures })]
    expect(await first.deliver(await signedHeaders())).toBe('handled')
    expect(await second.deliver(await signedHeaders())).toBe('duplicate')
    expect([...signatures]).toEqual([expect.stringMatching(/^[\da-f]{64}$/)])
  })

  it.each(receivers)('runs once in %s', async (_, start) => {
    let runs = 0
    const post = await start({ 'message.failed': () => ++runs }, { secret, now, log: false }, false)
    const statuses = []
    for (const id of ['one', 'two']) {
      const [status] = await post(body, await signedHeaders({ extra: { 'x-service-delivery': id } }))
      statuses.push(status)
    }
    expect([statuses, runs]).toEqual([[204, 204], 1])
  })
})

describe('a delivery of the service', () => {
  it('runs again after a failure, also when it is signed in the same second', async () => {
    for (const store of [undefined, new Set<string>()]) {
      const receiving = receiver({ store }, 1)
      await expect(receiving.deliver(await signedHeaders())).rejects.toThrow('the database is away')
      expect(await receiving.deliver(await signedHeaders())).toBe('handled')
    }
  })

  it('runs again when it is replayed, which signs it again', async () => {
    const receiving = receiver({ store: new Set<string>() })
    await receiving.deliver(await signedHeaders())
    const replayed = { 'x-service-delivery': deliveryId, 'x-service-replay': 'true' }
    const signature = await sign(body, secret, nowSeconds + 1)
    expect(await receiving.deliver({ ...replayed, 'x-service-signature': signature })).toBe('handled')
    expect(receiving.runs).toBe(2)
  })

  it('runs when the store of signatures failed, once it works', async () => {
    let isAway = true
    const known = new Set<string>()
    const signatures = {
      has: async (key: string) => (isAway ? Promise.reject(new Error('the store is away')) : known.has(key)),
      add: (key: string) => known.add(key),
    }
    const receiving = receiver({ signatures })
    await expect(receiving.deliver(await signedHeaders())).rejects.toThrow('the store is away')
    isAway = false
    expect(await receiving.deliver(await signedHeaders())).toBe('handled')
  })

  it('runs every time without a signature, which anybody can leave out', async () => {
    const receiving = receiver({ allowUnsigned: true })
    const unsigned = { 'x-service-event': 'message.failed' }
    expect([await receiving.deliver(unsigned), await receiving.deliver(unsigned)]).toEqual(['handled', 'handled'])
  })

  it('is forgotten when there are too many, the oldest first', async () => {
    const receiving = receiver({ signatures: memoryStore(2) })
    const deliver = async (second: number) =>
      receiving.deliver({ 'x-service-signature': await sign(body, secret, nowSeconds + second) })
    for (const second of [0, 1, 2]) await deliver(second)
    expect([await deliver(2), await deliver(1), await deliver(0)]).toEqual(['duplicate', 'duplicate', 'handled'])
  })
})

describe('headers that return a list', () => {
  const lookup = (value: unknown) => ({ get: () => value as string })

  it.each([
    [['a', 'b'], 'a,b'],
    [['a'], 'a'],
    [[], null],
    [7, null],
    [{}, null],
    [Object.create(null), null],
    [undefined, null],
  ])('%j are read as %j', (value, expected) => {
    expect(headerValue(lookup(value), 'x-name')).toBe(expected)
  })

  it('are refused, and never another error', async () => {
    const { 'x-service-signature': signature } = await signedHeaders()
    const handle = createHandler({}, { secret, now })
    for (const value of [
      [signature, signature],
      [signature, 'x'],
      [[signature], signature],
      7,
      {},
      true,
      Symbol('x'),
    ]) {
      expect(await reasonOf(handle(body, lookup(value)))).not.toBe('accepted')
    }
  })
})
