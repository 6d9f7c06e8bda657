import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { httpUrl, messageText, pageQuery, phone, phoneNumber, queryInteger, text, unique, uuid } from './fields.ts'
import { normalizePhone } from './phone.ts'

describe('normalizePhone', () => {
  it.each([
    ['+12025550100', '12025550100'],
    ['12025550100', '12025550100'],
    ['+1 (202) 555-01.00', '12025550100'],
    ['[+1] 202 555 0100', '12025550100'],
    ['+1\u2011202\u2013555\u00a00100', '12025550100'],
    ['1234567', '1234567'],
    ['123456789012345', '123456789012345'],
    ['123456', null],
    ['1234567890123456', null],
    ['+0123456789', null],
    ['++12025550100', null],
    ['1202555+0100', null],
    ['call me maybe', null],
    ['٠١٢٣٤٥٦٧٨٩', null],
    ['', null],
  ])('reads %j as %j', (given, digits) => {
    expect(normalizePhone(given, { lid: false })).toBe(digits)
  })

  it.each([
    ['12345678901234@lid', '12345678901234@lid'],
    ['1@lid', '1@lid'],
    [`${'9'.repeat(32)}@lid`, `${'9'.repeat(32)}@lid`],
    [`${'9'.repeat(33)}@lid`, null],
    ['@lid', null],
    ['123@LID', null],
    ['123@lid.com', null],
    ['12a@lid', null],
  ])('reads the network id %j as %j where one is allowed', (given, id) => {
    expect(normalizePhone(given, { lid: true })).toBe(id)
  })

  it('knows no network id where none is allowed', () => {
    expect(normalizePhone('12345678901234@lid', { lid: false })).toBeNull()
  })
})

describe('a phone field', () => {
  it('measures what was sent, separators included', () => {
    expect(phone.parse(`12025550100${' '.repeat(53)}`)).toBe('12025550100')
    expect(phone.safeParse(`12025550100${' '.repeat(54)}`).success).toBe(false)
    expect(phoneNumber.parse('+1 202 555 0100-----')).toBe('12025550100')
    expect(phoneNumber.safeParse('+1 202 555 0100------').success).toBe(false)
  })

  it('takes 7 characters where 7 to 64 are allowed, and 8 where 8 to 20 are', () => {
    expect(phone.parse('1234567')).toBe('1234567')
    expect(phone.safeParse('123456').success).toBe(false)
    expect(phoneNumber.parse('+1234567')).toBe('1234567')
    expect(phoneNumber.safeParse('1234567').success).toBe(false)
  })

  it('names the form of a number to a text that is too short to be one', () => {
    const message = expect.stringContaining('must be an international number like +12025550100')
    for (const field of [phone, phoneNumber])
      expect(field.safeParse('abc').error?.issues[0]).toMatchObject({ code: 'too_small', message })
  })

  it('refuses a bad shape as invalid_phone', () => {
    const issue = phone.safeParse('not a phone').error?.issues[0]
    expect(issue).toMatchObject({ code: 'custom', params: { code: 'invalid_phone' } })
    expect(issue?.message).toContain('@lid')
    expect(phoneNumber.safeParse('123456789@lid').error?.issues[0]).toMatchObject({ params: { code: 'invalid_phone' } })
  })
})

describe('text', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud83d'],
  ])('refuses %s, which no database can hold', (_name, value) => {
    expect(text(0, 10).safeParse(value).success).toBe(false)
  })

  it('takes every other character of any language', () => {
    for (const value of ['', 'नमस्ते', '👍🏽', 'a\nb\tc', 'مرحبا']) expect(text(0, 10).parse(value)).toBe(value)
  })
})

describe('httpUrl', () => {
  it.each(['http://a.example', 'https://a.example:8443/x?y=z#w', 'HTTPS://A.example', 'http://127.0.0.1/'])(
    'takes %s; whether it is public is the server to say',
    (url) => {
      expect(httpUrl.parse(url)).toBe(url)
    },
  )

  it.each([
    'ftp://a.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:,x',
    'a.example',
    '//a.example',
    'http://',
    '',
  ])('refuses %j', (url) => {
    expect(httpUrl.safeParse(url).error?.issues[0]).toMatchObject({ code: 'invalid_format', format: 'url' })
  })

  it('refuses NUL and takes 2000 characters but not 2001', () => {
    const start = 'https://a.example/'
    expect(httpUrl.safeParse(`${start}\0`).error?.issues[0]).toMatchObject({ params: { code: 'invalid_url' } })
    expect(httpUrl.safeParse(start.padEnd(2000, 'x')).success).toBe(true)
    expect(httpUrl.safeParse(start.padEnd(2001, 'x')).error?.issues[0]).toMatchObject({
      code: 'too_big',
      maximum: 2000,
    })
  })
})

describe('the text of a message', () => {
  it.each(['', ' ', ' \n\t ', '\u00a0'])('is refused when it is %j', (given) => {
    expect(messageText.safeParse(given).success).toBe(false)
  })

  it('keeps its blanks around what is there', () => {
    expect(messageText.parse(' hi ')).toBe(' hi ')
  })
})

describe('the query', () => {
  it('reads whole numbers from text', () => {
    expect(queryInteger(1, 10).parse('10')).toBe(10)
  })

  it.each(['0', '11', '1.5', 'x', '', '-1', 'Infinity', '0x5', '1e0', ' 5', '5 ', '+5'])(
    'refuses %j between 1 and 10',
    (given) => {
      expect(queryInteger(1, 10).safeParse(given).success).toBe(false)
    },
  )

  it('gives page 1 of 50 rows when nothing is said, and at most 100', () => {
    const query = z.object(pageQuery)
    expect(query.parse({})).toEqual({ page: 1, limit: 50 })
    expect(query.parse({ page: '1000000', limit: '100' })).toEqual({ page: 1_000_000, limit: 100 })
    expect(query.safeParse({ page: '1000001' }).success).toBe(false)
    expect(query.safeParse({ limit: '101' }).success).toBe(false)
  })
})

describe('uuid', () => {
  it('is returned in lower case, so that equal ids are equal texts', () => {
    expect(uuid.parse('0B6E7A52-8C8F-4B0A-9C58-0E2E6E3F1A11')).toBe('0b6e7a52-8c8f-4b0a-9c58-0e2e6e3f1a11')
  })

  it.each(['', 'x', '0b6e7a52-8c8f-4b0a-9c58-0e2e6e3f1a1', '0b6e7a52-8c8f-4b0a-9c58-0e2e6e3f1a11 '])(
    'refuses %j',
    (id) => {
      expect(uuid.safeParse(id).error?.issues[0]).toMatchObject({ code: 'invalid_format', format: 'uuid' })
    },
  )

  it('sees through the case of ids when entries of a list must differ', () => {
    const id = '0b6e7a52-8c8f-4b0a-9c58-0e2e6e3f1a11'
    expect(unique(z.array(uuid)).safeParse([id, id.toUpperCase()]).success).toBe(false)
  })
})
