import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Encrypts bytes with the key of a number. `place` is bound in: a value that is moved elsewhere does not decrypt. */
export function seal(key: Buffer, place: string, plain: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes)
  const box = createCipheriv(cipher, key, iv).setAAD(Buffer.from(place))
  return Buffer.concat([iv, box.update(plain), box.final(), box.getAuthTag()])
}

/** Decrypts bytes. Throws an Error when they were changed, or belong to another place. */
export function unseal(key: Buffer, place: string, sealed: Buffer): Buffer {
  const box = createDecipheriv(cipher, key, sealed.subarray(0, ivBytes)).setAAD(Buffer.from(place))
  box.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  return Buffer.concat([box.update(sealed.subarray(ivBytes, sealed.length - tagBytes)), box.final()])
}
