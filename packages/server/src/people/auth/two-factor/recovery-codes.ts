import { randomBytes } from 'node:crypto'
import { hashCredential } from '#api/access/authenticate.ts'
import { toBase32 } from './totp.ts'

const codeCount = 10
const codeBytes = 10

/** What to do with recovery codes, for a person. */
export const recoveryWarning =
  'Store these codes now, apart from your password. Each works once, and they are not shown again.'

/** Returns ten new recovery codes of 80 random bits, like `abcd-efgh-ijkl-mnop`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    const text = toBase32(randomBytes(codeBytes)).toLowerCase()
    return text.match(/.{4}/g)?.join('-') ?? text
  })
}

/** Returns the hash by which a recovery code is stored; case, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return hashCredential(code.replace(/[ -]/g, '').toLowerCase())
}
