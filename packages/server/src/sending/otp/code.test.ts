import { describe, expect, it } from 'vitest'
import { computeMac, newCode, sameMac } from './code.ts'

describe('a new code', () => {
  it.each([4, 5, 6, 7, 8])('of %i digits has exactly so many', (length) => {
    for (let n = 0; n < 200; n++) expect(newCode(length)).toMatch(new RegExp(`^[0-9]{${length}}$`))
  })

  it('takes every digit equally often at every place, zeros in front too', () => {
    const drawn = 20_000
    const seen = Array.from({ length: 4 }, () => Array.from({ length: 10 }, () => 0))
    for (let n = 0; n < drawn; n++) {
      for (const [place, digit] of [...newCode(4)].entries()) {
        const counts = seen[place] ?? []
        counts[Number(digit)] = (counts[Number(digit)] ?? 0) + 1
      }
    }
    // Ten standard deviations: a fair draw is outside once in more runs than there will ever be.
    const tolerance = 10 * Math.sqrt(drawn * 0.1 * 0.9)
    for (const count of seen.flat()) expect(Math.abs(count - drawn / 10)).toBeLessThan(tolerance)
  })
})

describe('what is stored of a code', () => {
  const pepper = Buffer.alloc(32, 7)
  const mac = computeMac(pepper, 'request-1', '0042')

  it('is the same for the same request, code and pepper, and another for each that differs', () => {
    expect(sameMac(mac, computeMac(pepper, 'request-1', '0042'))).toBe(true)
    expect(sameMac(mac, computeMac(pepper, 'request-1', '0043'))).toBe(false)
    expect(sameMac(mac, computeMac(pepper, 'request-1', '42'))).toBe(false)
    expect(sameMac(mac, computeMac(pepper, 'request-2', '0042'))).toBe(false)
    expect(sameMac(mac, computeMac(Buffer.alloc(32, 8), 'request-1', '0042'))).toBe(false)
  })
})
