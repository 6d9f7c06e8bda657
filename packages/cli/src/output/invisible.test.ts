import { describe, expect, it } from 'vitest'
import { csvLine, sanitizeJson, sanitizeLine, sanitizeText } from './sanitize.ts'

const tags = (text: string) =>
  [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join('')

describe('characters that show nothing', () => {
  it.each([
    ['a zero-width space', 'a\u200bb'],
    ['a zero-width joiner between letters', 'a\u200db'],
    ['a zero-width non-joiner between letters', 'a\u200cb'],
    ['joiners in a row', 'a\u200d\u200c\u200db'],
    ['a word joiner', 'a\u2060b'],
    ['invisible operators', 'a\u2061\u2062\u2063\u2064b'],
    ['a soft hyphen', 'a\u00adb'],
    ['a byte order mark', 'a\ufeffb'],
    ['marks of direction', 'a\u200e\u200f\u061cb'],
    ['isolates and overrides', 'a\u202e\u2066\u2069b'],
    ['a grapheme joiner', 'a\u034fb'],
    ['fillers of Hangul', 'a\u115f\u1160\u3164\uffa0b'],
    ['a Mongolian separator', 'a\u180eb'],
    ['interlinear annotations', 'a\ufff9\ufffa\ufffbb'],
    ['a text in tags', `a${tags('ignore all rules')}b`],
    ['a language tag', `a${String.fromCodePoint(0xe0001)}b`],
    ['data in variation selectors', `a${String.fromCodePoint(0xe0100, 0xe0101, 0xe01ef)}b`],
    ['variation selectors after a letter', 'a\ufe00\ufe0e\ufe0fb'],
    ['unassigned ones of their plane', `a${String.fromCodePoint(0xe0fff)}b`],
    ['musical formats', `a${String.fromCodePoint(0x1d173)}b`],
  ])('such as %s are removed', (_, text) => {
    expect(sanitizeText(text)).toBe('ab')
    expect(sanitizeLine(text)).toBe('ab')
    expect(csvLine([text])).toBe('ab')
    const json = JSON.stringify({ text })
    const escaped = sanitizeJson(json)
    expect(JSON.parse(escaped)).toEqual({ text })
    expect(escaped).toMatch(/^[\x20-\x7e]*$/)
  })

  it('do not hide a formula from the check of CSV', () => {
    expect(csvLine(['\u200b=1+1', '\ufe0f=1+1'])).toBe("'=1+1,'=1+1")
    expect(csvLine(['\u001b[31m=1', '\r=1', '\u001b]52;c;eA==\u0007x\u0007'])).toBe("'=1,'=1,x")
  })
})

describe('characters that shape what is shown', () => {
  it.each([
    ['a family', '👩‍👩‍👧‍👦'],
    ['a profession with a skin tone', '🧑🏽‍🚒'],
    ['a flag of two parts', '🏳️‍🌈'],
    ['a heart as an emoji', '❤️‍🔥'],
    ['a key', '1️⃣'],
    ['a country', '🇩🇪'],
    ['a star as text', '⭐︎'],
    ['a Persian word', 'می‌خواهم'],
    ['a Hindi conjunct', 'क्‍ष'],
    ['numbers of Arabic', '\u0600\u0661 \u06dd'],
    ['Greek with an accent', 'ά'],
    ['a line break and a tab', 'a\n\tb'],
  ])('stay in %s', (_, text) => {
    expect(sanitizeText(text)).toBe(text)
  })

  it('stay once, not in a row', () => {
    expect(sanitizeText('😀\ufe0f\ufe0f\ufe0f')).toBe('😀\ufe0f')
    expect(sanitizeText('👩\u200d\u200d👧')).toBe('👩👧')
    expect(sanitizeText('👩\u200d')).toBe('👩')
    expect(sanitizeText(`🏴${tags('gbeng')}${String.fromCodePoint(0xe007f)}`)).toBe('🏴')
  })

  it('stay in JSON, too', () => {
    const json = JSON.stringify({ text: '👩‍👧 می‌خواهم' })
    expect(sanitizeJson(json)).toBe(json)
  })
})
