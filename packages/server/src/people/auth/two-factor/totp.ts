import { Secret, TOTP } from 'otpauth'

/** The seconds that a code is valid for, and how many steps a phone's clock may be off. */
const stepSeconds = 30
const tolerance = 1

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer })
}

/** Returns bytes in base32 without padding. */
export function toBase32(bytes: Uint8Array): string {
  return secretOf(bytes).base32
}

/** Returns the time step of a moment in milliseconds since 1970. */
export function stepAt(nowMs: number): number {
  return TOTP.counter({ period: stepSeconds, timestamp: nowMs })
}

/**
 * Returns the step whose code of RFC 6238 was given, at most one step off; null for a wrong code. Compares in constant
 * time.
 */
export function findStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  // The library compares texts of one length only when their bytes have one length, too.
  if (!/^\d+$/.test(code)) return null
  const totp = new TOTP({ secret: secretOf(secret), period: stepSeconds })
  const off = totp.validate({ token: code, timestamp: nowMs, window: tolerance })
  return off === null ? null : stepAt(nowMs) + off
}

/** Returns the address that authenticators read from a QR code. */
export function otpauthUrl(secret: Uint8Array, issuer: string, account: string): string {
  return new TOTP({ secret: secretOf(secret), issuer, label: account, period: stepSeconds }).toString()
}
