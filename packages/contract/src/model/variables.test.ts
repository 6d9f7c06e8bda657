import { describe, expect, it } from 'vitest'
import { placeholder, variableKey } from './placeholders.ts'
import { variables } from './variables.ts'

function entries(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
}

describe('variables', () => {
  it.each([
    ['नाम', 'a key with combining marks'],
    ['first name', 'a key with a space inside'],
    ['имя', 'a key in another script'],
    ['👤', 'a key that is a picture'],
    ['a.b-c_d$1', 'a key with signs'],
    ['k'.repeat(100), 'a key of 100 characters'],
  ])('takes %j: %s', (key) => {
    expect(variables.parse({ [key]: 'x' })).toEqual({ [key.normalize('NFC')]: 'x' })
  })

  it('trims keys and brings them into NFC, so that they meet their placeholders', () => {
    expect(variables.parse({ ' cafe\u0301 ': 'x' })).toEqual({ 'caf\u00e9': 'x' })
  })

  it.each([
    ['', 'an empty key'],
    ['   ', 'a key of spaces'],
    ['a{b', 'an opening brace'],
    ['a}b', 'a closing brace'],
    ['a\nb', 'a control character'],
    ['a\0b', 'NUL'],
    ['a\ud83d', 'half of a surrogate pair'],
    ['k'.repeat(101), 'a key of 101 characters'],
  ])('refuses %j: %s', (key) => {
    const result = variables.safeParse({ [key]: 'x' })
    expect(result.error?.issues[0]?.message).toContain('a key has 1 to 100 characters')
  })

  it('takes 50 entries and values of 1000 characters, and not one more', () => {
    expect(variables.safeParse(entries(50)).success).toBe(true)
    expect(variables.safeParse(entries(51)).error?.issues[0]).toMatchObject({ code: 'too_big', maximum: 50 })
    expect(variables.safeParse({ a: 'x'.repeat(1000) }).success).toBe(true)
    expect(variables.safeParse({ a: 'x'.repeat(1001) }).error?.issues[0]).toMatchObject({
      code: 'too_big',
      path: ['a'],
    })
  })

  it('takes an empty value, and refuses one that is no text', () => {
    expect(variables.parse({ a: '' })).toEqual({ a: '' })
    expect(variables.safeParse({ a: 1 }).success).toBe(false)
    expect(variables.safeParse({ a: null }).success).toBe(false)
    expect(variables.safeParse(['a']).success).toBe(false)
  })

  it('leaves the prototype of its result alone', () => {
    const parsed = variables.parse(JSON.parse('{"__proto__": "x", "a": "1"}'))
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(Object.keys(parsed)).toEqual(['a'])
  })
})

describe('placeholder', () => {
  it.each([
    ['Hi {{name}}, {{ first name }}!', ['name', 'first name']],
    ['{{नाम}} {{cafe\u0301}}', ['नाम', 'caf\u00e9']],
    ['{{{a}}}', ['a']],
    ['{a} {{}} {{a\nb}} {{a', []],
  ])('finds the keys of %j', (template, keys) => {
    expect([...template.matchAll(placeholder)].map((match) => variableKey(match[1] ?? ''))).toEqual(keys)
  })
})
