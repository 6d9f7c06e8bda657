import { describe, expect, it } from 'vitest'
import { scan } from '#testing/features/authenticator.ts'
import { findStep, otpauthUrl, stepAt, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const nowMs = 1_700_000_000_000

describe('the codes of an authenticator', () => {
  // RFC 6238, appendix B, the codes of SHA-1; a code of six digits is the end of one of eight.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238 at %i s', (seconds, code) => {
    expect(findStep(secret, code.slice(2), seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  it('are those of an independent authenticator that read our URL, 500 of 500', () => {
    for (let n = 0; n < 500; n += 1) {
      const own = Buffer.from(Array.from({ length: 20 }, (_, index) => (n * 31 + index * 97 + (n >> 3)) & 255))
      const account = `ada+${n}@example.com`
      const authenticator = scan(otpauthUrl(own, 'Msgctl & Co', account))
      expect(authenticator.label).toBe(`Msgctl & Co:${account}`)
      const atMs = n * 86_400_123 + 60_000
      expect(findStep(own, authenticator.codeAt(atMs), atMs)).toBe(stepAt(atMs))
    }
  })

  it.each([
    [-2, null],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, null],
  ])('are accepted %i steps from now as %s', (off, accepted) => {
    const step = findStep(secret, scan(otpauthUrl(secret, 'a', 'b')).codeAt(nowMs + off * 30_000), nowMs)
    expect(step === null ? null : step - stepAt(nowMs)).toBe(accepted)
  })

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '12345é'])('are not %j', (code) => {
    expect(findStep(secret, code, nowMs)).toBeNull()
  })

  it('come from a secret in base32', () => {
    expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  })
})
