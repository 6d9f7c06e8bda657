import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FileHead } from '@msgctl/network/calls'
import { maxHeadBytes } from '@msgctl/network/wire'

/** The two parts of the body of a call. */
export interface CallBody {
  readonly head: Buffer
  /** Returns the file that follows, as a stream that fails when its hash is another one. */
  file(facts: FileHead): Readable
}

const lengthBytes = 4

/** Reads the head of a call, and leaves the rest in the request. Throws an Error for a body of another form. */
export async function readCall(request: IncomingMessage): Promise<CallBody> {
  const parts = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  // At least twice as large whenever it grows, so that many small parts are not copied again and again.
  let buffered = Buffer.alloc(0)
  let size = 0
  async function need(bytes: number): Promise<void> {
    while (size < bytes) {
      const { value: part, done } = await parts.next()
      if (done) throw new Error('the body of the call ended early')
      if (size + part.length > buffered.length) {
        const larger = Buffer.alloc(Math.max(2 * buffered.length, size + part.length))
        buffered.copy(larger, 0, 0, size)
        buffered = larger
      }
      size += part.copy(buffered, size)
    }
  }
  await need(lengthBytes)
  const length = buffered.readUInt32BE()
  if (length > maxHeadBytes) throw new Error('the head of the call is too long')
  await need(lengthBytes + length)
  const head = buffered.subarray(lengthBytes, lengthBytes + length)
  const start = buffered.subarray(lengthBytes + length, size)
  return { head, file: (facts) => Readable.from(checked(start, parts, facts)) }
}

async function* checked(start: Buffer, parts: AsyncIterator<Buffer>, facts: FileHead): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let size = 0
  for (let part: Buffer | null = start; part; part = await nextPart(parts)) {
    size += part.length
    if (size > facts.sizeBytes) throw new Error('the file of the call is longer than its head says')
    hash.update(part)
    if (part.length > 0) yield part
  }
  const wanted = Buffer.from(facts.sha256, 'hex')
  const given = hash.digest()
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) {
    throw new Error('the file of the call has another hash than its head says')
  }
}

async function nextPart(parts: AsyncIterator<Buffer>): Promise<Buffer | null> {
  const { value, done } = await parts.next()
  return done ? null : value
}
