import {
  createDecipheriv,
  createHash,
  createHmac,
  type Decipher,
  type Hash,
  type Hmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import type { FileKind, FileReference } from './reference.ts'

/** The bytes of the MAC that follow an encrypted file. */
export const macBytes = 10
const blockBytes = 16

/** The names by which the keys of a file are derived. */
const purposes: Readonly<Record<FileKind, string>> = {
  image: 'WhatsApp Image Keys',
  sticker: 'WhatsApp Image Keys',
  video: 'WhatsApp Video Keys',
  audio: 'WhatsApp Audio Keys',
  document: 'WhatsApp Document Keys',
}

/** The keys of one file: AES-256-CBC with PKCS #7 padding, then ten bytes of an HMAC-SHA256 over IV and ciphertext. */
export interface FileKeys {
  readonly iv: Buffer
  readonly cipherKey: Buffer
  readonly macKey: Buffer
}

/** Derives the keys of a file from the key in its message. */
export function deriveFileKeys(mediaKey: Buffer, kind: FileKind): FileKeys {
  const bytes = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), purposes[kind], 112))
  return { iv: bytes.subarray(0, 16), cipherKey: bytes.subarray(16, 48), macKey: bytes.subarray(48, 80) }
}

/** Returns a stream that decrypts a file without its MAC. */
export function decryption({ cipherKey, iv }: FileKeys): Decipher {
  return createDecipheriv('aes-256-cbc', cipherKey, iv)
}

/** Proves an encrypted file while it arrives: its MAC, and the hashes that its message has. */
export class FileProof {
  readonly #reference: FileReference
  readonly #mac: Hmac
  readonly #encryptedHash: Hash = createHash('sha256')
  readonly #hash: Hash = createHash('sha256')
  readonly #decryption: Decipher
  /** The last bytes so far, which may be the MAC. */
  #tail = Buffer.alloc(0)
  #sizeBytes = 0

  constructor(reference: FileReference, keys: FileKeys) {
    this.#reference = reference
    this.#mac = createHmac('sha256', keys.macKey).update(keys.iv)
    this.#decryption = decryption(keys)
  }

  /** Takes the next bytes of the encrypted file. */
  update(bytes: Buffer): void {
    this.#encryptedHash.update(bytes)
    const known = Buffer.concat([this.#tail, bytes])
    const end = Math.max(0, known.length - macBytes)
    const encrypted = known.subarray(0, end)
    this.#tail = known.subarray(end)
    this.#sizeBytes += encrypted.length
    this.#mac.update(encrypted)
    this.#hash.update(this.#decryption.update(encrypted))
  }

  /** Returns how many bytes precede the MAC; null when the file is not the one that its message names. */
  finish(): number | null {
    const { sha256, encryptedSha256 } = this.#reference
    if (this.#sizeBytes === 0 || this.#sizeBytes % blockBytes !== 0) return null
    if (!isEqual(this.#mac.digest().subarray(0, macBytes), this.#tail)) return null
    if (encryptedSha256 && !isEqual(this.#encryptedHash.digest(), encryptedSha256)) return null
    try {
      this.#hash.update(this.#decryption.final())
    } catch {
      // The sender, who has the key, used another padding.
      return null
    }
    return sha256 && !isEqual(this.#hash.digest(), sha256) ? null : this.#sizeBytes
  }
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
