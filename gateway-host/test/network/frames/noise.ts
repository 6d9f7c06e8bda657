import { aesDecryptGCM, aesEncryptGCM, hkdf, NOISE_MODE, sha256 } from 'baileys'

const nothing = Buffer.alloc(0)
const fallbackName = 'Noise_XXfallback_25519_AESGCM_SHA256'

function counter(value: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(value, 8)
  return iv
}

/** The server's side of the handshake Noise_XX_25519_AESGCM_SHA256, and the encryption of frames after it. */
export class Noise {
  #hash: Buffer = Buffer.from(NOISE_MODE)
  #salt: Buffer = this.#hash
  #key: Buffer = this.#hash
  #used = 0
  #read: { key: Buffer; used: number } | null = null
  #write: { key: Buffer; used: number } | null = null

  /** Whether the handshake is over. */
  get isReady(): boolean {
    return this.#read !== null
  }

  /**
   * Begins again with the handshake of a network that does not remember the device: a device that was linked before
   * proposes a shorter one at first. `header` is that of the connection.
   */
  fallBack(header: Uint8Array): void {
    this.#hash = Buffer.from(sha256(Buffer.from(fallbackName)))
    this.#salt = this.#hash
    this.#key = this.#hash
    this.mixHash(header)
  }

  mixHash(data: Uint8Array): void {
    this.#hash = Buffer.from(sha256(Buffer.concat([this.#hash, data])))
  }

  mixKey(secret: Uint8Array): void {
    ;[this.#salt, this.#key] = this.#derive(secret)
    this.#used = 0
  }

  /** Encrypts a part of the handshake. */
  encrypt(plain: Uint8Array): Buffer {
    const box = Buffer.from(aesEncryptGCM(plain, this.#key, counter(this.#used++), this.#hash))
    this.mixHash(box)
    return box
  }

  /** Decrypts a part of the handshake. Throws an Error for one that was changed. */
  decrypt(box: Uint8Array): Buffer {
    const plain = Buffer.from(aesDecryptGCM(box, this.#key, counter(this.#used++), this.#hash))
    this.mixHash(box)
    return plain
  }

  /** Ends the handshake: from here on each direction has its own key. */
  split(): void {
    const [read, write] = this.#derive(nothing)
    this.#read = { key: read, used: 0 }
    this.#write = { key: write, used: 0 }
  }

  /** Encrypts one frame after the handshake. */
  encryptFrame(plain: Uint8Array): Buffer {
    if (!this.#write) throw new Error('the handshake is not over')
    return Buffer.from(aesEncryptGCM(plain, this.#write.key, counter(this.#write.used++), nothing))
  }

  /** Decrypts one frame after the handshake. */
  decryptFrame(box: Uint8Array): Buffer {
    if (!this.#read) throw new Error('the handshake is not over')
    return Buffer.from(aesDecryptGCM(box, this.#read.key, counter(this.#read.used++), nothing))
  }

  #derive(secret: Uint8Array): [Buffer, Buffer] {
    const both = Buffer.from(hkdf(Buffer.from(secret), 64, { salt: this.#salt, info: '' }))
    return [both.subarray(0, 32), both.subarray(32)]
  }
}
