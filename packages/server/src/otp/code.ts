import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** A random code of `length` digits; each is equally likely, those with zeros in front too. */
export function newCode(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0')
}

/**
 * What is stored of a code: HMAC-SHA256 under a pepper over the request's id, which always has the same length, and the
 * code. A bare hash of six digits is found by trying them all.
 */
export function computeMac(pepper: Buffer, requestId: string, code: string): Buffer {
  return createHmac('sha256', pepper).update(requestId).update(code).digest()
}

/** Compares in a time that tells nothing about the difference. */
export function sameMac(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
