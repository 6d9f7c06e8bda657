import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashCredential, presented } from './authenticate.ts'

const key = `msk_${'a1'.repeat(32)}`
const bearer = (text: string) => ({ kind: 'token', hash: hashCredential(text), carrier: 'bearer' })
const cookie = (text: string) => ({ kind: 'token', hash: hashCredential(text), carrier: 'cookie' })
const console = { 'x-requested-by': 'console', 'sec-fetch-site': 'same-origin' }
const numberKey = `msn_${'b2'.repeat(32)}`

describe('the credentials of a request', () => {
  it.each([
    ['an account key', { 'x-api-key': key }, { kind: 'key', hash: hashCredential(key) }],
    ["a number's key", { 'x-api-key': numberKey }, { kind: 'key', hash: hashCredential(numberKey) }],
    ['a session token', { authorization: 'Bearer abc-123' }, bearer('abc-123')],
    ['a token, however Bearer is written', { authorization: 'bearer  abc' }, bearer('abc')],
    [
      'a key beside a token',
      { 'x-api-key': key, authorization: 'Bearer abc' },
      { kind: 'key', hash: hashCredential(key) },
    ],
    ['nothing', {}, 'missing_credentials'],
    ['empty headers', { 'x-api-key': '', authorization: '' }, 'missing_credentials'],
    ['an empty key beside a token', { 'x-api-key': '', authorization: 'Bearer a' }, bearer('a')],
    ['a bad key beside a good token', { 'x-api-key': 'nope', authorization: 'Bearer abc' }, 'invalid_api_key'],
    ['a key of another length', { 'x-api-key': `${key}0` }, 'invalid_api_key'],
    ['a key in capitals', { 'x-api-key': key.toUpperCase() }, 'invalid_api_key'],
    ['a key with another prefix', { 'x-api-key': key.replace('msk_', 'sk_') }, 'invalid_api_key'],
    ['two keys joined by the parser', { 'x-api-key': `${key}, ${key}` }, 'invalid_api_key'],
    ['a password', { authorization: 'Basic dXNlcjpwYXNz' }, 'invalid_session'],
    ['the cookie of the console', { ...console, cookie: 'a=b; msgctl=abc-123' }, cookie('abc-123')],
    ['the cookie that came over https first', { ...console, cookie: 'msgctl=old; __Host-msgctl=new' }, cookie('new')],
    [
      'the cookie, where the browser names no site',
      { 'x-requested-by': 'console', cookie: 'msgctl=abc' },
      cookie('abc'),
    ],
    ['a token beside the cookie', { ...console, cookie: 'msgctl=abc', authorization: 'Bearer xyz' }, bearer('xyz')],
    [
      'a bad token beside a good cookie',
      { ...console, cookie: 'msgctl=abc', authorization: 'Basic x' },
      'invalid_session',
    ],
    ['a bad key beside a good cookie', { ...console, cookie: 'msgctl=abc', 'x-api-key': 'nope' }, 'invalid_api_key'],
    ['the cookie of a form', { cookie: 'msgctl=abc', 'sec-fetch-site': 'same-origin' }, 'missing_credentials'],
    [
      'the cookie of another header',
      { ...console, 'x-requested-by': 'x', cookie: 'msgctl=abc' },
      'missing_credentials',
    ],
    [
      'the cookie of a page that is cross-site',
      { ...console, 'sec-fetch-site': 'cross-site', cookie: 'msgctl=abc' },
      'missing_credentials',
    ],
    [
      'the cookie of a page that is same-site',
      { ...console, 'sec-fetch-site': 'same-site', cookie: 'msgctl=abc' },
      'missing_credentials',
    ],
    [
      'the cookie of a page that is none',
      { ...console, 'sec-fetch-site': 'none', cookie: 'msgctl=abc' },
      'missing_credentials',
    ],
    ['a cookie with another beginning', { ...console, cookie: 'xmsgctl=abc' }, 'missing_credentials'],
    ['a cookie of an odd form', { ...console, cookie: 'msgctl=a b' }, 'missing_credentials'],
    ['a token longer than any', { authorization: `Bearer ${'a'.repeat(257)}` }, 'invalid_session'],
  ])('reads %s', (_what, headers, expected) => {
    expect(presented(headers)).toEqual(expected)
  })

  it('are looked up by the SHA-256 of their whole text', () => {
    expect(hashCredential(key)).toEqual(createHash('sha256').update(key, 'utf8').digest())
  })
})
