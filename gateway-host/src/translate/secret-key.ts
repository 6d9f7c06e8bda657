import { aesDecryptGCM, hkdf } from 'baileys'

/** What a phone encrypts with the secret of an earlier message. */
interface Sealed {
  readonly encPayload?: Uint8Array | null
  readonly encIv?: Uint8Array | null
}

/** Under which names a key was derived: the message, who wrote it, who refers to it, and for what. */
interface Derivation {
  readonly messageId: string
  readonly author: string
  readonly by: string
  readonly purpose: 'Poll Vote' | 'Message Edit'
  /** What the sender authenticated beside it. */
  readonly authenticated: string
}

const keyBytes = 32

/**
 * Decrypts what refers to an earlier message, with the secret of that message, and reads it. Null when it was encrypted
 * under other names, or `read` throws.
 */
export function openSealed<T>(
  { encPayload, encIv }: Sealed,
  secret: Uint8Array,
  { messageId, author, by, purpose, authenticated }: Derivation,
  read: (plain: Uint8Array) => T,
): T | null {
  if (!encPayload || !encIv) return null
  try {
    const key = hkdf(secret, keyBytes, { info: `${messageId}${author}${by}${purpose}` })
    return read(aesDecryptGCM(encPayload, key, encIv, Buffer.from(authenticated)))
  } catch {
    return null
  }
}
