import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** Returns a random code of `length` digits. Every code is equally likely, also with leading zeros. */
export function newCode(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0')
}

/**
 * Returns what is stored of a code: HMAC-SHA256 with a pepper as key, over the request's id, which has a fixed length,
 * and the code. A plain hash of six digits could be found by trying all of them.
 */
export function computeMac(pepper: Buffer, requestId: string, code: string): Buffer {
  return createHmac('sha256', pepper).update(requestId).update(code).digest()
}

/** Compares in constant time. */
export function sameMac(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
