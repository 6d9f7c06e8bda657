import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { GatewayError } from '../errors.ts'
import type { Json } from '../gateway.ts'
import { PublicFetchError } from '../public-address/failure.ts'
import type { PublicFetch } from '../public-address/fetch.ts'
import { fileDeadlineMs, maxFileBytes } from '../wire.ts'
import { decryption, deriveFileKeys, FileProof, macBytes } from './decryption.ts'
import type { FileHosts } from './hosts.ts'
import { readReference } from './reference.ts'

/** The most bytes that encryption adds: a block of padding, and the MAC. */
const addedBytes = 16 + macBytes
/** What a browser sends; the file hosts refuse requests without it. */
const headers = { origin: 'https://web.whatsapp.com' }

/** How the file hosts respond for a file that they no longer keep. */
const goneStatuses: ReadonlySet<number> = new Set([403, 404, 410])

/** How files are fetched, and from where. */
export interface FileSource {
  readonly fetch: (request: Parameters<PublicFetch>[0]) => ReturnType<PublicFetch>
  readonly hosts: FileHosts
}

/**
 * Downloads the file of a received message. No byte is handed on before all of them were proven. Until then the
 * encrypted file is in a temporary file without a name. Null when the message has no file that can be fetched, or the
 * network no longer keeps it. Throws a GatewayError.
 */
export async function downloadFile(stored: Json, { fetch, hosts }: FileSource): Promise<Readable | null> {
  const reference = readReference(stored)
  if (!reference) return null
  const keys = deriveFileKeys(reference.mediaKey, reference.kind)
  const proof = new FileProof(reference, keys)
  const file = await withFailures(async () => {
    const response = await fetch({
      url: `https://${hosts.host}${reference.path}`,
      method: 'GET',
      headers,
      deadlineMs: fileDeadlineMs,
      maxBytes: maxFileBytes + addedBytes,
      maxRedirects: 0,
    })
    if (response.status === 200) return storeEncrypted(response.body, proof)
    await response.discard()
    if (goneStatuses.has(response.status)) return null
    throw unreachable()
  })
  if (!file) return null
  const sizeBytes = proof.finish()
  if (sizeBytes === null) {
    await file.close()
    throw new GatewayError('rejected', 'The file is not the one that its message names.', { outcome: 'not_sent' })
  }
  // Whichever stream fails destroys the other; the reader sees the failure.
  return pipeline(file.createReadStream({ start: 0, end: sizeBytes - 1 }), decryption(keys), () => undefined)
}

async function storeEncrypted(body: AsyncIterable<Buffer>, proof: FileProof): Promise<FileHandle> {
  const file = await openUnnamed()
  try {
    for await (const bytes of body) {
      proof.update(bytes)
      await file.writeFile(bytes)
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Opens a temporary file that is gone when it is closed, and when the process dies. */
async function openUnnamed(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `msgctl-file-${randomUUID()}`)
  const file = await open(name, 'wx+', 0o600)
  await unlink(name)
  return file
}

async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error
    if (error.reason === 'timeout')
      throw new GatewayError('timeout', 'The network did not respond in time.', { outcome: 'not_sent' })
    if (error.reason === 'too_large')
      throw new GatewayError('rejected', 'The file is too large.', { outcome: 'not_sent' })
    throw unreachable()
  }
}

function unreachable(): GatewayError {
  return new GatewayError('unreachable', 'The file hosts of the network cannot be reached.', { outcome: 'not_sent' })
}
