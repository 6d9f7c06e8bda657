import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type EventKind, eventKinds, webhookBody } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import type { RawBody } from './body.ts'
import { sign } from './sign.ts'
import { published, reasonOf, type Vector } from './test/signed-delivery.ts'
import { verify } from './verify.ts'

const { vectors, workedExample } = published
const bytesOf = (vector: Vector) =>
  vector.bodyBase64 === undefined ? Buffer.from(vector.body ?? '') : Buffer.from(vector.bodyBase64, 'base64')

function verifyVector(vector: Vector, rawBody: RawBody) {
  return verify(rawBody, vector.headers, vector.secrets, {
    now: () => vector.nowSeconds * 1000,
    toleranceSeconds: vector.toleranceSeconds,
    allowUnsigned: vector.allowUnsigned,
  })
}

describe('vectors.json', () => {
  it.each(vectors.filter((vector) => vector.expect.accept))('accepts: $name', async (vector) => {
    const { event, deliveryId, replayed } = await verifyVector(vector, bytesOf(vector))
    expect({ accept: true, event, deliveryId, replayed }).toEqual(vector.expect)
  })

  it.each(vectors.filter((vector) => !vector.expect.accept))('refuses: $name', async (vector) => {
    const reason = await reasonOf(verifyVector(vector, bytesOf(vector)))
    expect({ accept: reason === 'accepted', reason }).toEqual(vector.expect)
  })

  it('has the same results for text as for bytes', async () => {
    for (const vector of vectors.filter(({ body }) => body !== undefined)) {
      const reason = await reasonOf(verifyVector(vector, vector.body ?? ''))
      expect([vector.name, reason]).toEqual([vector.name, vector.expect.accept ? 'accepted' : vector.expect.reason])
    }
  })

  it('holds at least 40 refusals, each request with its own name', () => {
    expect(vectors.filter((vector) => !vector.expect.accept).length).toBeGreaterThanOrEqual(40)
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  })

  it('is what scripts/vectors.mjs computes with node:crypto', () => {
    const script = fileURLToPath(new URL('../scripts/vectors.mjs', import.meta.url))
    const printed = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8', maxBuffer: 4_000_000 })
    expect(JSON.parse(printed)).toEqual(published)
  })

  it('holds one event of every type of the contract that fits its schema', () => {
    const bodies = new Map(
      vectors
        .filter(({ name }) => name.startsWith('the event '))
        .map(({ body = '' }) => [JSON.parse(body).event, body]),
    )
    expect([...bodies.keys()].sort()).toEqual([...eventKinds].sort())
    for (const [kind, body] of bodies)
      expect(webhookBody(kind as EventKind).parse(JSON.parse(body))).toEqual(JSON.parse(body))
  })
})

describe('the worked example', () => {
  it('is signed with the UTF-8 bytes of the whole secret', async () => {
    const { secret, t, body, key } = workedExample
    expect(await sign(body, secret, t)).toBe(`t=${t},v1=${key.v1}`)
    expect(key.hex).toBe(Buffer.from(secret, 'utf8').toString('hex'))
  })

  it('shows that a library that decodes the secret gets another key and another MAC', () => {
    const [base64, hex] = workedExample.wrongKeys
    const afterPrefix = workedExample.secret.slice('whsec_'.length)
    expect(base64?.hex).toBe(Buffer.from(afterPrefix, 'base64').toString('hex'))
    expect(hex?.hex).toBe(afterPrefix)
    const macs = [workedExample.key, ...workedExample.wrongKeys].map(({ v1 }) => v1)
    expect(new Set(macs).size).toBe(macs.length)
  })
})
