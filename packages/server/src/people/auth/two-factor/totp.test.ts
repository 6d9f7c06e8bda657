import { type TOTP, URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { codeAt, findStep, otpauthUrl, stepAt, toBase32 } from './totp.ts'

const seed = '12345678901234567890'
const secrets = {
  sha1: Buffer.from(seed),
  sha256: Buffer.from(seed.repeat(2).slice(0, 32)),
  sha512: Buffer.from(seed.repeat(4).slice(0, 64)),
} as const

/** RFC 6238, appendix B. */
const vectors: [seconds: number, algorithm: keyof typeof secrets, code: string][] = [
  [59, 'sha1', '94287082'],
  [59, 'sha256', '46119246'],
  [59, 'sha512', '90693936'],
  [1_111_111_109, 'sha1', '07081804'],
  [1_111_111_109, 'sha256', '68084774'],
  [1_111_111_109, 'sha512', '25091201'],
  [1_111_111_111, 'sha1', '14050471'],
  [1_111_111_111, 'sha256', '67062674'],
  [1_111_111_111, 'sha512', '99943326'],
  [1_234_567_890, 'sha1', '89005924'],
  [1_234_567_890, 'sha256', '91819424'],
  [1_234_567_890, 'sha512', '93441116'],
  [2_000_000_000, 'sha1', '69279037'],
  [2_000_000_000, 'sha256', '90698825'],
  [2_000_000_000, 'sha512', '38618901'],
  [20_000_000_000, 'sha1', '65353130'],
  [20_000_000_000, 'sha256', '77737706'],
  [20_000_000_000, 'sha512', '47863826'],
]

describe('the codes of an authenticator', () => {
  it.each(vectors)('are those of RFC 6238 at %i s with %s', (seconds, algorithm, code) => {
    expect(codeAt(secrets[algorithm], stepAt(seconds * 1000), { digits: 8, algorithm })).toBe(code)
  })

  it('are those of an independent authenticator that read our URL, 500 of 500', () => {
    for (let n = 0; n < 500; n += 1) {
      const secret = Buffer.from(Array.from({ length: 20 }, (_, index) => (n * 31 + index * 97 + (n >> 3)) & 255))
      const url = otpauthUrl(secret, 'Msgctl & Co', `ada+${n}@example.com`)
      const authenticator = URI.parse(url) as TOTP
      expect(authenticator.label).toBe(`ada+${n}@example.com`)
      expect([authenticator.algorithm, authenticator.digits, authenticator.period]).toEqual(['SHA1', 6, 30])
      const nowMs = n * 86_400_123
      expect(findStep(secret, authenticator.generate({ timestamp: nowMs }), nowMs)).toBe(stepAt(nowMs))
    }
  })

  it.each([
    [-2, null],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, null],
  ])('are accepted %i steps from now as %s', (off, accepted) => {
    const nowMs = 1_700_000_000_000
    const step = findStep(secrets.sha1, codeAt(secrets.sha1, stepAt(nowMs) + off), nowMs)
    expect(step === null ? null : step - stepAt(nowMs)).toBe(accepted)
  })

  it.each(['', '12345', '1234567', 'abcdef'])('are not %j', (code) => {
    expect(findStep(secrets.sha1, code, 0)).toBeNull()
  })

  it('come from a secret in base32', () => {
    expect(toBase32(secrets.sha1)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  })
})
