import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { encodeHead } from '@msgctl/network/wire'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readCall } from './read-call.ts'

/** A request whose body arrives in parts of so many bytes. */
function request(body: Buffer, partBytes: number): IncomingMessage {
  function* parts() {
    for (let at = 0; at < body.length; at += partBytes) yield body.subarray(at, at + partBytes)
  }
  return Readable.from(parts()) as unknown as IncomingMessage
}

it.each([1, 3, 4, 7, 1000])('reads the head and the file of a call in parts of %i bytes', async (partBytes) => {
  const head = Buffer.from('{"containerId":"a"}')
  const bytes = Buffer.from('the bytes of a file')
  const call = await readCall(request(Buffer.concat([encodeHead(head), bytes]), partBytes))
  expect(call.head).toEqual(head)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(await buffer(call.file({ sizeBytes: bytes.length, sha256 }))).toEqual(bytes)
})

it('copies its head a few times, however small the parts are in which it arrives', async () => {
  let copiedBytes = 0
  const { concat } = Buffer
  const { copy } = Buffer.prototype
  vi.spyOn(Buffer, 'concat').mockImplementation((...args) => {
    const joined = concat(...args)
    copiedBytes += joined.length
    return joined
  })
  vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...args) {
    const bytes = copy.apply(this, args)
    copiedBytes += bytes
    return bytes
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const body = encodeHead(Buffer.alloc(20_000))
  copiedBytes = 0
  expect((await readCall(request(body, 1))).head.length).toBe(20_000)
  expect(copiedBytes).toBeLessThan(4 * body.length)
})
