import { createHmac, timingSafeEqual } from 'node:crypto'

/** The seconds that a code is valid for, the digits of a code, and how many steps a phone's clock may be off. */
const stepSeconds = 30
const digits = 6
const tolerance = 1

/** The alphabet of base32 (RFC 4648). */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns bytes in base32 without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Returns the code of a secret at a time step (RFC 6238 over RFC 4226). */
export function codeAt(
  secret: Uint8Array,
  step: number,
  options: { digits?: number; algorithm?: string } = {},
): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac(options.algorithm ?? 'sha1', secret)
    .update(counter)
    .digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const length = options.digits ?? digits
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** length).padStart(length, '0')
}

/** Returns the time step of a moment in milliseconds since 1970. */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1000 / stepSeconds)
}

/** Returns the step whose code was given, at most one step off; null for a wrong code. Compares in constant time. */
export function findStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const now = stepAt(nowMs)
  const given = Buffer.from(code)
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, index) => now - tolerance + index)
  const matching = steps.filter((step) => {
    if (step < 0) return false
    const expected = Buffer.from(codeAt(secret, step))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  return matching.at(-1) ?? null
}

/** Returns the address that authenticators read from a QR code. */
export function otpauthUrl(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepSeconds),
  })
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}
