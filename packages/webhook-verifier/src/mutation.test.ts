import { describe, expect, it } from 'vitest'
import { body, now, published, reasonOf, secret, signedHeaders } from './test/signed-delivery.ts'
import { verify } from './verify.ts'

/** A small seeded generator (mulberry32), so that a failure can be repeated. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function flipByte(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const changed = Uint8Array.from(bytes)
  const at = random(changed.length)
  changed[at] = (changed[at] ?? 0) ^ (1 + random(255))
  return changed
}

/** `npm run proof -- mutations` runs the full size: 100,000 changed requests. */
const full = process.env.MUTATIONS === 'full'
const rounds = full
  ? { body: 40_000, signature: 40_000, secret: 10_000, noise: 10_000 }
  : { body: 2_000, signature: 2_000, secret: 500, noise: 2_000 }
const timeoutMs = full ? 300_000 : 30_000

const good = published.vectors.filter((vector) => vector.expect.accept && !vector.allowUnsigned)

describe('a request changed on its way', { timeout: timeoutMs }, () => {
  it('is never accepted, whichever byte of the body is flipped', async () => {
    const random = randomFrom(20_261_001)
    const reasons = new Set<string>()
    for (let round = 0; round < rounds.body; round++) {
      const vector = good[random(good.length)] ?? expect.fail()
      const changed = flipByte(Buffer.from(vector.body ?? ''), random)
      const options = { now: () => vector.nowSeconds * 1000, toleranceSeconds: vector.toleranceSeconds }
      reasons.add(await reasonOf(verify(changed, vector.headers, vector.secrets, options)))
    }
    expect([...reasons]).toEqual(['no_matching_signature'])
  })

  it('is never accepted, whichever character of the signature is changed', async () => {
    const random = randomFrom(7)
    const headers = await signedHeaders()
    const signature = Buffer.from(headers['x-service-signature'])
    let accepted = 0
    for (let round = 0; round < rounds.signature; round++) {
      const changed = Buffer.from(flipByte(signature, random)).toString('latin1')
      const reason = await reasonOf(verify(body, { ...headers, 'x-service-signature': changed }, secret, { now }))
      if (reason === 'accepted') accepted++
    }
    expect(accepted).toBe(0)
  })

  it('is never accepted under a secret of which one character is changed', async () => {
    const random = randomFrom(99)
    const headers = await signedHeaders()
    for (let round = 0; round < rounds.secret; round++) {
      const at = 'whsec_'.length + random(64)
      const other = (Number.parseInt(secret[at] ?? '0', 16) ^ (1 + random(15))).toString(16)
      const changed = secret.slice(0, at) + other + secret.slice(at + 1)
      expect(await reasonOf(verify(body, headers, changed, { now }))).toBe('no_matching_signature')
    }
  })

  it('is refused with a reason and never with another error, for any header', async () => {
    const random = randomFrom(4_242)
    const alphabet = 't=v1,0123456789abcdef \t.-+;"\u00e9'
    for (let round = 0; round < rounds.noise; round++) {
      const noise = Array.from({ length: random(120) }, () => alphabet[random(alphabet.length)]).join('')
      expect(await reasonOf(verify(body, { 'x-service-signature': noise }, secret, { now }))).not.toBe('accepted')
    }
  })
})
