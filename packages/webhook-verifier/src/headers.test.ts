import { describe, expect, it } from 'vitest'
import { headerValue, type WebhookHeaders } from './headers.ts'
import { body, now, reasonOf, secret, signedHeaders } from './test/signed-delivery.ts'
import { verify } from './verify.ts'

describe('headerValue', () => {
  it.each<[string, WebhookHeaders, string | null]>([
    ['a Headers object', new Headers({ 'X-Name': 'a' }), 'a'],
    ['a Headers object without it', new Headers(), null],
    ['a record in lower case', { 'x-name': 'a' }, 'a'],
    ['a record in any case', { 'X-NAME': 'a' }, 'a'],
    ['a list of one', { 'x-name': ['a'] }, 'a'],
    ['a list of several, joined', { 'x-name': ['a', 'b'] }, 'a,b'],
    ['the same name in two cases, joined', { 'x-name': 'a', 'X-Name': 'b' }, 'a,b'],
    ['an undefined value', { 'x-name': undefined }, null],
    ['an empty value', { 'x-name': '' }, null],
    ['a record with a header named get', { get: 'x', 'x-name': 'a' }, 'a'],
    ['an inherited property', Object.create({ 'x-name': 'a' }), null],
  ])('reads %s', (_case, headers, expected) => {
    expect(headerValue(headers, 'x-name')).toBe(expected)
  })

  it('treats missing headers as an absent header', async () => {
    const headers = undefined as unknown as WebhookHeaders
    expect(await reasonOf(verify(body, headers, secret, { now }))).toBe('missing_header')
  })

  it('joins repeated copies of the signature', async () => {
    const { 'x-service-signature': signature } = await signedHeaders()
    const twice = { 'x-service-signature': signature, 'X-Service-Signature': signature }
    expect(await reasonOf(verify(body, twice, secret, { now }))).toBe('duplicate_timestamp')
    const appended = new Headers(twice)
    expect(await reasonOf(verify(body, appended, secret, { now }))).toBe('duplicate_timestamp')
  })
})
