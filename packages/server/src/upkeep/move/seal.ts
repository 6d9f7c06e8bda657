import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from '@msgctl/network/secrets'
import { Refusal } from '#people/organizations/refusal.ts'

const cipher = 'aes-256-gcm'
const purpose = 'msgctl move'
const chunkBytes = 64 * 1024
const tagBytes = 16
const saltBytes = 32
const newline = 0x0a
/** A first line is shorter: the id of a key has up to 32 characters. */
const longestHead = 200
const headForm = /^msgctl organization 2 ([A-Za-z0-9_-]{1,32}) ([A-Za-z0-9_-]{43})\n$/

/** Writes the bytes of a sealed file. */
export interface Seal {
  write(text: string): Promise<void>
  /** Writes the rest. Returns the SHA-256 of the whole file as hex. */
  end(): Promise<string>
}

/**
 * Seals a file with a key that is derived from the first key of SECRETS_KEYS and a salt of this file. A first line
 * names the key and the salt; then come chunks of 64 KiB, each with its tag. The nonce of a chunk is its position and
 * whether it is the last one, so that a file whose chunks were dropped, repeated or reordered does not open. Throws
 * {@link Refusal} without SECRETS_KEYS.
 */
export async function sealFile(secrets: Secrets, write: (bytes: Uint8Array) => Promise<void>): Promise<Seal> {
  const derived = secrets.derive(purpose)
  if (!derived)
    throw new Refusal('SECRETS_KEYS is not set, and the file is sealed with it. See docs/run/deployment.md.')
  const hash = createHash('sha256')
  const put = async (bytes: Uint8Array) => {
    hash.update(bytes)
    await write(bytes)
  }
  const salt = randomBytes(saltBytes)
  const head = Buffer.from(`msgctl organization 2 ${derived.keyId} ${salt.toString('base64url')}\n`)
  const key = fileKey(derived.key, salt)
  await put(head)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let position = 0
  const seal = async (chunk: Uint8Array, isLast: boolean) => {
    const box = createCipheriv(cipher, key, nonce(position, isLast)).setAAD(head)
    position += 1
    await put(Buffer.concat([box.update(chunk), box.final(), box.getAuthTag()]))
  }
  return {
    async write(text) {
      const bytes = Buffer.from(text)
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes <= chunkBytes) return
      const all = Buffer.concat(waiting)
      // The last chunk is sealed by `end`, so a whole one waits until more follows.
      let from = 0
      for (; all.length - from > chunkBytes; from += chunkBytes)
        await seal(all.subarray(from, from + chunkBytes), false)
      waiting = [all.subarray(from)]
      waitingBytes = all.length - from
    },
    async end() {
      await seal(Buffer.concat(waiting), true)
      return hash.digest('hex')
    },
  }
}

/** A sealed file that is being read. */
export interface OpenedFile {
  /** Its lines. Each is authenticated before it is given out, and the end of the file when they are done. */
  readonly lines: AsyncGenerator<string>
  /** Returns the id of the key that sealed it and its SHA-256 as hex, once its lines were read. */
  facts(): { readonly keyId: string; readonly digest: string }
}

/**
 * Opens a file that {@link sealFile} wrote. Reading its lines throws {@link Refusal} when it is no such file, when
 * SECRETS_KEYS lacks its key, and when a byte of it is missing or differs.
 */
export function openFile(secrets: Secrets, bytes: AsyncIterable<Uint8Array>): OpenedFile {
  const hash = createHash('sha256')
  let keyId = ''
  async function* hashed() {
    for await (const some of bytes) {
      hash.update(some)
      yield some
    }
  }
  function onHead(head: Head): void {
    keyId = head.keyId
  }
  return {
    lines: splitLines(openChunks(secrets, hashed(), onHead)),
    facts: () => ({ keyId, digest: hash.copy().digest('hex') }),
  }
}

interface Head {
  readonly bytes: Buffer
  readonly keyId: string
  readonly key: Buffer
}

async function* openChunks(
  secrets: Secrets,
  bytes: AsyncIterable<Uint8Array>,
  onHead: (head: Head) => void,
): AsyncGenerator<Buffer> {
  const sealedBytes = chunkBytes + tagBytes
  let left: Buffer = Buffer.alloc(0)
  let head: Head | null = null
  let position = 0
  for await (const some of bytes) {
    left = Buffer.concat([left, some])
    if (!head) {
      head = readHead(secrets, left)
      if (!head) continue
      onHead(head)
      left = left.subarray(head.bytes.length)
    }
    // What may be the last chunk waits for more, or for the end of the file.
    for (; left.length > sealedBytes; left = left.subarray(sealedBytes)) {
      yield openChunk(head, left.subarray(0, sealedBytes), position, false)
      position += 1
    }
  }
  if (!head) throw notAnExport()
  yield openChunk(head, left, position, true)
}

/** Returns the first line of a file; null while it is incomplete. */
function readHead(secrets: Secrets, bytes: Buffer): Head | null {
  const end = bytes.indexOf(newline)
  if (end === -1 && bytes.length < longestHead) return null
  const head = bytes.subarray(0, end + 1)
  const [, keyId, salt] = headForm.exec(head.toString('latin1')) ?? []
  if (keyId === undefined || salt === undefined) throw notAnExport()
  const derived = secrets.derive(purpose, keyId)
  if (!derived) {
    throw new Refusal(
      `SECRETS_KEYS lacks the key ${keyId}, with which the file is sealed. Add it behind your own, as the ` +
        'other installation has it.',
    )
  }
  return { bytes: Buffer.from(head), keyId, key: fileKey(derived.key, Buffer.from(salt, 'base64url')) }
}

function notAnExport(): Refusal {
  return new Refusal('The file is no export of msgctl-server org export.')
}

function openChunk(head: Head, sealed: Buffer, position: number, isLast: boolean): Buffer {
  const box = createDecipheriv(cipher, head.key, nonce(position, isLast)).setAAD(head.bytes)
  try {
    box.setAuthTag(sealed.subarray(sealed.length - tagBytes))
    return Buffer.concat([box.update(sealed.subarray(0, sealed.length - tagBytes)), box.final()])
  } catch {
    throw new Refusal(
      position === 0
        ? `The file does not open: it was changed or is incomplete, or the key ${head.keyId} of SECRETS_KEYS is ` +
            'not that of the other installation.'
        : 'The file was changed, or is incomplete. Copy it again, or export again.',
    )
  }
}

function fileKey(key: Buffer, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, purpose, 32))
}

function nonce(position: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(position), 0)
  bytes.writeUInt8(isLast ? 1 : 0, 11)
  return bytes
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Uploads make lines of many chunks, which are joined once.
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8')
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString('utf8')
}
