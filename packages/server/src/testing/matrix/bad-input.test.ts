import { gzipSync } from 'node:zlib'
import type { ErrorCode } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { bodyBoundsOf } from '#api/http/body/scan.ts'
import { startTestServer } from '#testing/start-server.ts'
import { call, type Sent } from './call.ts'
import { type Field, fieldsOf, withValue } from './fields.ts'
import { goodInput } from './good-input.ts'
import { type MountedRoute, mounted } from './mounted.ts'
import { makeCallers, makeOtherTenant } from './other-tenant.ts'
import { watchStored } from './stored.ts'

const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const { owner, ids } = await makeOtherTenant(server)
const callerOf = await makeCallers(server, owner)
const stored = await watchStored(server.db)

/** An upload takes bytes of any kind; its own test covers what it refuses. */
const withBody = mounted.filter(({ route }) => route.body && !route.upload).map((route) => [route.name, route] as const)

interface BadBody {
  readonly what: string
  readonly sent: Sent
  readonly code: ErrorCode
}

/** Bodies that no route takes, made of the route's good one. */
function badBodies(route: MountedRoute): BadBody[] {
  const good = JSON.stringify(goodInput(route, ids).body)
  const typed = (type: string, encoding?: string): Sent => ({
    body: good,
    headers: { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
  })
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const unreadable: [what: string, sent: Sent][] = [
    ['half an object', { body: good.slice(0, -1) }],
    ['a trailing comma', { body: good.replace(/\}$/, ',}') }],
    ['two documents', { body: `${good}${good}` }],
    ['single quotes', { body: `{'a':1}` }],
    ['text that is not UTF-8', { body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
    ['33 levels', { body: nested(33) }],
    ['2,000 levels', { body: nested(2_000) }],
    ['text/plain', typed('text/plain')],
    ['a form', typed('application/x-www-form-urlencoded')],
    ['latin1', typed('application/json; charset=iso-8859-1')],
    ['gzip', { body: gzipSync(good), headers: { 'content-encoding': 'gzip' } }],
    ['brotli by name', typed('application/json', 'br')],
  ]
  const formless: [what: string, sent: Sent][] = ['[]', `[${good}]`, '"text"', '7', 'true', 'null'].map((body) => [
    body.slice(0, 20),
    { body },
  ])
  return [
    ...unreadable.map(([what, sent]) => ({ what, sent, code: 'INVALID_JSON' as const })),
    ...formless.map(([what, sent]) => ({ what, sent, code: 'VALIDATION_ERROR' as const })),
  ]
}

describe('a body that cannot be read', () => {
  it.each(withBody)('is refused by %s, and nothing is stored', async (_name, route) => {
    const bodies = badBodies(route)
    const good = goodInput(route, ids)
    const codes = await Promise.all(
      bodies.map(async ({ what, sent }) => {
        const { error } = await call(server, route, {
          ...good,
          ...sent,
          headers: { ...callerOf(route), ...sent.headers },
        })
        return [what, error?.code]
      }),
    )
    expect(codes).toEqual(bodies.map(({ what, code }) => [what, code]))
    await stored.expectNone()
  })
})

/** Returns a body of that many bytes, with its size declared or streamed without a declared size. */
function padded(bytes: number, declared: boolean): Uint8Array | ReadableStream {
  const body = new Uint8Array(bytes).fill(0x20)
  if (declared) return body
  return new ReadableStream({
    start(stream) {
      for (let at = 0; at < bytes; at += 65_536) stream.enqueue(body.subarray(at, at + 65_536))
      stream.close()
    },
  })
}

async function expectLimit(route: MountedRoute, declared: boolean): Promise<void> {
  const { maxBytes } = bodyBoundsOf(route.route)
  const sent = (bytes: number) =>
    call(server, route, {
      ...goodInput(route, ids),
      body: padded(bytes, declared),
      headers: { ...callerOf(route), 'content-type': 'application/json' },
    })
  expect((await sent(maxBytes)).error?.code).toBe('INVALID_JSON')
  expect((await sent(maxBytes + 1)).error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes } })
}

/** One route of each limit. */
const ofEachLimit = [...new Map(withBody.map((entry) => [bodyBoundsOf(entry[1].route).maxBytes, entry])).values()]

describe('a large body', () => {
  it.each(withBody)('is read by %s up to its limit, and refused beyond', (_name, route) => expectLimit(route, false))

  it.each(ofEachLimit)('whose size is declared is refused by %s in the same way', (_name, route) =>
    expectLimit(route, true),
  )
})

const mandatory = withBody.flatMap(([name, route]) => {
  const fields = fieldsOf(route).filter(
    ({ place, path, required }) => place === 'body' && path.length === 1 && required,
  )
  return fields.length === 0 ? [] : [[name, route, fields] as const]
})

/** Returns the field for the link of a file, which is required without a mediaId, and thus not in the schema. */
function linkIn({ route }: (typeof withBody)[number][1]): string[] {
  const names = Object.keys(route.body?.shape ?? {})
  return names.includes('mediaId') && !names.includes('url') ? names.filter((name) => name.endsWith('Url')) : []
}

describe('a body with tricks', () => {
  it.each(mandatory)('brings no field to %s by __proto__', async (_name, route, fields) => {
    const good = goodInput(route, ids)
    const body = `{"__proto__":${JSON.stringify(good.body)},"constructor":{"prototype":${JSON.stringify(good.body)}}}`
    const { error } = await call(server, route, { ...good, body, headers: callerOf(route) })
    const required = error?.issues?.filter(({ code }) => code === 'required').map(({ field }) => field)
    const names = fields.map(({ name }) => name)
    expect(required?.sort()).toEqual([...names, ...linkIn(route)].sort())
    await stored.expectNone()
  })

  it.each(mandatory)('is judged by %s by the last of two equal keys', async (_name, route, fields) => {
    const good = goodInput(route, ids)
    await Promise.all(
      fields.map(async ({ name }) => {
        const body = JSON.stringify(good.body).replace(/\}$/, `,${JSON.stringify(name)}:{"no":"value"}}`)
        const { error } = await call(server, route, { ...good, body, headers: callerOf(route) })
        expect(error?.details).toHaveProperty([name])
      }),
    )
    await stored.expectNone()
  })
})

/** A badly shaped phone in a list is answered by its row and never fails the call. */
function isListedPhone(path: Field['path']): boolean {
  return typeof path.at(-1) === 'number' && /^(?:phones|recipients)$/.test(String(path.at(-2)))
}

const unstorable = { NUL: 'a\0b', 'half a surrogate pair': 'a\ud800b', 'the other half': 'a\udc00b' }

describe('text that no database can hold', () => {
  const table = mounted.flatMap((route) => {
    const fields = fieldsOf(route).filter(({ schema }) => schema.type === 'string')
    return fields.length === 0 ? [] : [[route.name, route, fields] as const]
  })

  it.each(table)('is refused by every field of %s', async (_name, route, fields: readonly Field[]) => {
    const good = goodInput(route, ids)
    const tries = fields.flatMap((field) => Object.entries(unstorable).map(([what, text]) => ({ field, what, text })))
    await Promise.all(
      // A query is UTF-8, in which half a pair cannot be written.
      tries
        .filter(({ field: { place }, what }) => place === 'body' || what === 'NUL')
        .map(async ({ field: { place, path, name }, what, text }) => {
          const sent = { ...good, [place]: withValue(good[place] ?? {}, path, text), headers: callerOf(route) }
          const { status, error } = await call(server, route, sent)
          if (isListedPhone(path)) return expect(status).toBeLessThan(500)
          const field = error?.issues?.map((issue) => issue.field).find((found) => found.startsWith(name))
          const refused = [name, what, 400, 'VALIDATION_ERROR', expect.any(String)]
          expect([name, what, status, error?.code, field]).toEqual(refused)
        }),
    )
    await stored.expectNone()
  })
})
