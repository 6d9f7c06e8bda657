import type { Json } from '../gateway.ts'

/** The kinds of files that people send. Each has keys of its own. */
export type FileKind = 'image' | 'video' | 'document' | 'audio' | 'sticker'

/** What a message says of its file. Everything in it was chosen by the sender. */
export interface SentFile {
  readonly mimetype: string
  readonly directPath?: string | null
  readonly mediaKey?: Uint8Array | null
  readonly fileSha256?: Uint8Array | null
  readonly fileEncSha256?: Uint8Array | null
}

/** Where a file is at the file host of the network, what decrypts it, and what proves it. */
export interface FileReference {
  readonly kind: FileKind
  /** Path and query. The host is never the sender's choice. */
  readonly path: string
  readonly mediaKey: Buffer
  /** The hash of the file; null when the message has none. */
  readonly sha256: Buffer | null
  /** The hash of the encrypted file; null when the message has none. */
  readonly encryptedSha256: Buffer | null
}

const kinds: ReadonlySet<string> = new Set<FileKind>(['image', 'video', 'document', 'audio', 'sticker'])
const pathForm = /^\/[\w./%?=&~-]{1,1900}$/
const keyBytes = 32

/** Whether a text is a path at a host: it names no host, and leads to no other folder. */
export function isFilePath(text: string): boolean {
  return pathForm.test(text) && !text.startsWith('//') && !/\.\.|%2e/i.test(text)
}

/**
 * Returns what is stored to fetch the file of a message later; null when it cannot be fetched. The message also has a
 * `url`, which is not stored: its sender would choose where the gateway host connects.
 */
export function toStoredReference(kind: FileKind, sent: SentFile): Json {
  const { mimetype, directPath, mediaKey, fileSha256, fileEncSha256 } = sent
  const stored = {
    kind,
    mimetype,
    mediaKey: encode(mediaKey),
    directPath: directPath ?? null,
    sha256: encode(fileSha256),
    encryptedSha256: encode(fileEncSha256),
  }
  return readReference(stored) ? stored : null
}

/**
 * Reads what {@link toStoredReference} returned. Null for everything else, such as a path that leads somewhere else. A
 * `url`, which earlier releases stored, is ignored.
 */
export function readReference(stored: Json): FileReference | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null
  const { kind, directPath } = stored
  if (typeof kind !== 'string' || !kinds.has(kind)) return null
  if (typeof directPath !== 'string' || !isFilePath(directPath)) return null
  const [mediaKey, sha256, encryptedSha256] = [stored.mediaKey, stored.sha256, stored.encryptedSha256].map(decode)
  if (!mediaKey || sha256 === undefined || encryptedSha256 === undefined) return null
  return { kind: kind as FileKind, path: directPath, mediaKey, sha256, encryptedSha256 }
}

function encode(bytes: Uint8Array | null | undefined): string | null {
  return bytes && bytes.length > 0 ? Buffer.from(bytes).toString('base64') : null
}

/** Returns 32 bytes; null for none, undefined for anything else. */
function decode(text: Json | undefined): Buffer | null | undefined {
  if (text === null || text === undefined) return null
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : null
  return bytes?.length === keyBytes ? bytes : undefined
}
