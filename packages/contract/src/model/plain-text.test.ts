import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'

const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
const every = (matching: RegExp) => characters.filter((one) => matching.test(one))

describe('a text as it is compared', () => {
  it('has the digits of every script as 0 to 9', () => {
    const digits = every(/\p{Nd}/u)
    expect(digits.length).toBeGreaterThan(700)
    expect(digits.filter((digit) => !/^[0-9]$/.test(plainText(digit)))).toEqual([])
    const systems = Intl.supportedValuesOf('numberingSystem').flatMap((name) => {
      const format = new Intl.NumberFormat(`en-u-nu-${name}`, { useGrouping: false })
      const written = format.format(9_876_543_210)
      return /^\p{Nd}+$/u.test(written) ? [plainText(written)] : []
    })
    expect(systems.length).toBeGreaterThan(60)
    expect(new Set(systems)).toEqual(new Set(['9876543210']))
  })

  it('has nothing invisible', () => {
    const invisible = every(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
    expect(invisible.length).toBeGreaterThan(4000)
    expect(plainText(`S${invisible.join('')}T\u0000\u0007OP`)).toBe('STOP')
  })

  it.each([
    ['ＳＴＯＰ', 'STOP'],
    ['ﬁn', 'fin'],
    ['example。com', 'example.com'],
    ['example｡com', 'example.com'],
    ['example．com', 'example.com'],
    ['١٬٢٣٤٫٥٠', '1,234.50'],
    ['٩٩٪', '99%'],
    ['①', '1'],
    ['ARRE\u0302TE', 'ARR\u00caTE'],
    [' Straße\n\tÉté ', ' Straße\n\tÉté '],
    ['👍🏽 ok', '👍🏽 ok'],
  ])('is of %j %j', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('is the same when it is made again', () => {
    const all = every(/[\p{N}\p{P}\p{M}\p{Sm}\p{Z}]/u)
    expect(all.length).toBeGreaterThan(5000)
    expect(all.filter((one) => plainText(plainText(one)) !== plainText(one))).toEqual([])
  })

  it('has at most 30 marks in a row, because the time to normalize them grows with their square', () => {
    const marks = '\u0316\u0301'.repeat(32_768)
    expect(plainText(`a${marks}b`).length).toBeLessThanOrEqual(32)
    expect(plainText(`a${marks.slice(0, 30)}b`)).toHaveLength(`a${marks.slice(0, 30)}b`.normalize('NFKC').length)
  })
})
