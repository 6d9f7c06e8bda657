import { describe, expect, it } from 'vitest'
import type { RawBody } from './body.ts'
import { WebhookVerificationError } from './error.ts'
import { sign } from './sign.ts'
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
import { verify } from './verify.ts'

const bytes = new TextEncoder().encode(body)
const padded = new Uint8Array(bytes.length + 8)
padded.set(bytes, 4)

describe('verify', () => {
  it('returns the event, its delivery id and whether it is a replay', async () => {
    expect(await verify(body, await signedHeaders(), secret, { now })).toEqual({
      ...JSON.parse(body),
      signature: (await signedHeaders())['x-service-signature'].split('v1=')[1],
      deliveryId,
      replayed: false,
      sample: false,
    })
  })

  it('returns one signature for all copies of a delivery, and another one for the next attempt', async () => {
    const secrets = [secret, otherSecret]
    const both = await sign(body, secrets, nowSeconds)
    const [time, first, second] = both.split(',')
    const signatureOf = async (signature: string) =>
      (await verify(body, { 'x-service-signature': signature }, () => secrets, { now })).signature
    const copies = [both, `${time},${first}`, `${time},${second}`, `v0=1,${second}, ${time}`].map(signatureOf)
    expect(new Set(await Promise.all(copies)).size).toBe(1)
    expect(await signatureOf(await sign(body, secrets, nowSeconds + 1))).not.toBe(await copies[0])
  })

  it('returns no signature for an unsigned delivery', async () => {
    const unsigned = { 'x-service-event': 'message.failed' }
    expect((await verify(body, unsigned, secret, { now, allowUnsigned: true })).signature).toBeNull()
  })

  it.each<[string, RawBody]>([
    ['text', body],
    ['bytes', bytes],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', bytes.slice().buffer],
    ['a part of a larger buffer', padded.subarray(4, 4 + bytes.length)],
  ])('takes the body as %s', async (_form, rawBody) => {
    expect((await verify(rawBody, await signedHeaders(), secret, { now })).event).toBe('message.failed')
  })

  it.each([
    ['a parsed object', JSON.parse(body)],
    ['a list', []],
    ['null', null],
    ['undefined', undefined],
    ['a number', 7],
  ])('refuses %s with raw_body_required', async (_form, parsed) => {
    expect(await reasonOf(verify(parsed, await signedHeaders(), secret, { now }))).toBe('raw_body_required')
  })

  it('says how to get the raw body in the common frameworks', () => {
    const { message } = new WebhookVerificationError('raw_body_required')
    for (const name of ['express.raw', 'Fastify', 'Koa', 'NestJS', 'Next', 'Hono', 'Lambda'])
      expect(message).toContain(name)
  })

  it('takes exactly maxBodyBytes, counted in bytes and not in characters', async () => {
    const wide = body.replace('not on the network', '你好')
    const headers = await signedHeaders({ body: wide })
    const maxBodyBytes = Buffer.byteLength(wide)
    expect(await reasonOf(verify(wide, headers, secret, { now, maxBodyBytes }))).toBe('accepted')
    expect(await reasonOf(verify(wide, headers, secret, { now, maxBodyBytes: maxBodyBytes - 1 }))).toBe(
      'body_too_large',
    )
  })

  it('refuses more than 1 MiB by default', async () => {
    const headers = await signedHeaders()
    expect(await reasonOf(verify(new Uint8Array(1_048_577), headers, secret, { now }))).toBe('body_too_large')
    expect(await reasonOf(verify(new Uint8Array(1_048_576), headers, secret, { now }))).toBe('no_matching_signature')
  })

  it('refuses everything when the clock or the tolerance is not a number', async () => {
    const headers = await signedHeaders()
    for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1, '300' as never]) {
      await expect(verify(body, headers, secret, { now, toleranceSeconds })).rejects.toThrow(
        new TypeError('toleranceSeconds must be a number of seconds.'),
      )
    }
    expect(await reasonOf(verify(body, headers, secret, { now: () => Number.NaN }))).toBe('timestamp_too_old')
  })

  it('uses the clock of the machine by default', async () => {
    expect(await reasonOf(verify(body, { 'x-service-signature': await sign(body, secret) }, secret))).toBe('accepted')
    expect(await reasonOf(verify(body, { 'x-service-signature': await sign(body, secret, 1) }, secret))).toBe(
      'timestamp_too_old',
    )
  })

  it('still verifies a signature when unsigned deliveries are allowed', async () => {
    const forged = await signedHeaders({ secret: otherSecret })
    expect(await reasonOf(verify(body, forged, secret, { now, allowUnsigned: true }))).toBe('no_matching_signature')
    expect(await reasonOf(verify('[]', {}, secret, { allowUnsigned: true }))).toBe('invalid_event')
  })

  it.each([
    ['128 characters', 'a'.repeat(128), 'a'.repeat(128)],
    ['a longer one', 'a'.repeat(129), null],
    ['two ids joined', `${deliveryId}, ${deliveryId}`, null],
    ['text with a line break', 'a\nb', null],
  ])('reads as delivery id: %s', async (_case, given, expected) => {
    const headers = await signedHeaders({ extra: { 'x-service-delivery': given } })
    expect((await verify(body, headers, secret, { now })).deliveryId).toBe(expected)
  })

  it('parses the bytes it verified, even if the buffer changes', async () => {
    const buffer = Buffer.from(body)
    const source = async () => {
      buffer.fill(0x20)
      return secret
    }
    expect((await verify(buffer, await signedHeaders(), source, { now })).event).toBe('message.failed')
  })

  it('keeps the secret and the body out of its errors', async () => {
    const error = await verify(`${body} `, await signedHeaders(), secret, { now }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WebhookVerificationError)
    const shown = `${error}${JSON.stringify(error)}${(error as Error).stack}`
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain('not on the network')
    expect(error).toMatchObject({ name: 'WebhookVerificationError', reason: 'no_matching_signature' })
  })

  it('compares every secret with every v1', async () => {
    const headers = { 'x-service-signature': await sign(body, [otherSecret, secret], nowSeconds) }
    const third = `whsec_${'ab'.repeat(32)}`
    expect(await reasonOf(verify(body, headers, [third, secret], { now }))).toBe('accepted')
    expect(await reasonOf(verify(body, headers, [otherSecret, third], { now }))).toBe('accepted')
    expect(await reasonOf(verify(body, headers, [third], { now }))).toBe('no_matching_signature')
  })
})
