import { Readable } from 'node:stream'
import { GatewayError } from '@msgctl/network/errors'

const capture = Buffer.from('OggS')
const opusHead = Buffer.from('OpusHead')
/** Where the first packet of an Ogg file begins that has one packet on its first page, as Opus demands. */
const packetAt = 28
const headBytes = packetAt + opusHead.length

/**
 * Returns the bytes of a voice note again, after their beginning was read. Phones show other audio as a note that does
 * not play. Throws a GatewayError `rejected` for anything but Ogg with Opus.
 */
export async function requireVoiceNote(bytes: Readable): Promise<Readable> {
  const chunks: AsyncIterator<Buffer> = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < headBytes) {
    const { done, value } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const isNote = head.subarray(0, 4).equals(capture) && head.subarray(packetAt, headBytes).equals(opusHead)
  if (!isNote) {
    bytes.destroy()
    const message =
      'A voice note must be Ogg with Opus. Convert it (ffmpeg -i IN -c:a libopus -ac 1 OUT.ogg) or send a file.'
    throw new GatewayError('rejected', message, { outcome: 'not_sent' })
  }
  return Readable.from(joined(head, chunks))
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
