import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Where a secret is stored; bound into its ciphertext, so that one moved elsewhere does not decrypt. */
export type SecretLocation = `${string}:${string}:${string}`

/** Thrown for a stored secret whose key is not in SECRETS_KEYS. */
export class SecretsKeyMissing extends Error {
  readonly keyId: string

  constructor(keyId: string) {
    super(`a stored secret needs the key ${keyId}, which SECRETS_KEYS does not hold`)
    this.name = 'SecretsKeyMissing'
    this.keyId = keyId
  }
}

/** Returns the id of the key that encrypted a stored secret. */
export function parseKeyId(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf(':')))
}

/**
 * Encrypts secrets at rest. Without keys nothing can be encrypted: webhooks are then unsigned (specification,
 * "Events").
 */
export interface Secrets {
  readonly available: boolean
  /** The id of the key that encrypts. */
  readonly keyId: string | null
  encrypt(text: string, location: SecretLocation): string
  /**
   * Throws {@link SecretsKeyMissing} when the key is not among the known ones, and an Error when the text was changed.
   */
  decrypt(sealed: string, location: SecretLocation): string
  /** A key for one purpose, derived from the first key or from the one with this id; null where there is none. */
  derive(purpose: string, keyId?: string): { keyId: string; key: Buffer } | null
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

/**
 * Reads `SECRETS_KEYS`: `2:<base64>,1:<base64>`, 32 bytes each. The first encrypts, all decrypt. Throws an Error that
 * names the entry at fault and never its bytes.
 */
export function openSecrets(keys: string | undefined): Secrets {
  const known = (keys ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(readKey)
  const byId = new Map(known.map((key) => [key.id, key]))
  if (byId.size !== known.length) throw new Error('SECRETS_KEYS names one key id twice')
  const first = known[0]
  const derived = new Map<string, Buffer>()
  return {
    available: first !== undefined,
    keyId: first?.id ?? null,
    encrypt(text, location) {
      if (!first) throw new Error('SECRETS_KEYS is not set, so no secret can be stored')
      return seal(first, text, location)
    },
    decrypt(sealed, location) {
      const keyId = parseKeyId(sealed)
      const key = byId.get(keyId)
      if (!key) throw new SecretsKeyMissing(keyId)
      return unseal(key, sealed, location)
    },
    derive(purpose, keyId) {
      const from = keyId === undefined ? first : byId.get(keyId)
      if (!from) return null
      const name = `${from.id}:${purpose}`
      const key = derived.get(name) ?? Buffer.from(hkdfSync('sha256', from.bytes, '', purpose, 32))
      derived.set(name, key)
      return { keyId: from.id, key }
    },
  }
}

/** A fresh value for SECRETS_KEYS with one key. */
export function newSecretsKeys(): string {
  return `1:${randomBytes(32).toString('base64')}`
}

function readKey(entry: string, index: number): Key {
  const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(entry)
  const bytes = Buffer.from(match?.[2] ?? '', 'base64')
  if (!match?.[1] || bytes.length !== 32) {
    throw new Error(`SECRETS_KEYS: entry ${index + 1} is not of the form id:base64 with 32 bytes`)
  }
  return { id: match[1], bytes }
}

function seal(key: Key, text: string, location: SecretLocation): string {
  const iv = randomBytes(ivBytes)
  const box = createCipheriv(cipher, key.bytes, iv).setAAD(Buffer.from(location))
  const sealed = Buffer.concat([iv, box.update(text, 'utf8'), box.final(), box.getAuthTag()])
  return `${key.id}:${sealed.toString('base64')}`
}

function unseal(key: Key, sealed: string, location: SecretLocation): string {
  const bytes = Buffer.from(sealed.slice(sealed.indexOf(':') + 1), 'base64')
  const box = createDecipheriv(cipher, key.bytes, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(location))
  box.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  const text = Buffer.concat([box.update(bytes.subarray(ivBytes, bytes.length - tagBytes)), box.final()])
  return text.toString('utf8')
}
