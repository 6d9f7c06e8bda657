import type { Readable } from 'node:stream'

const samplesPerSecond = 48_000
/** An Ogg page has at most 27 + 255 + 255 * 255 bytes, so the last page begins within these. */
const tailBytes = 65_536
const headBytes = 512
const capture = Buffer.from('OggS')
const opusHead = Buffer.from('OpusHead')

/**
 * Returns how long an Ogg Opus file plays, in whole seconds rounded up: the last granule position counts its samples. 0
 * for a file without sound, or one whose last page is damaged.
 */
export async function opusSeconds(bytes: Readable): Promise<number> {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (head.length < headBytes) head = Buffer.concat([head, chunk]).subarray(0, headBytes)
    tail = Buffer.concat([tail, chunk])
    if (tail.length > tailBytes) tail = tail.subarray(tail.length - tailBytes)
  }
  const samples = lastGranule(tail) - BigInt(preSkip(head))
  return samples <= 0n ? 0 : Math.ceil(Number(samples) / samplesPerSecond)
}

/** Returns the granule position of the last page that ends a packet; 0 when there is none. */
function lastGranule(tail: Buffer): bigint {
  for (let at = tail.lastIndexOf(capture); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(capture, at - 1)) {
    // -1: no packet ends on this page.
    const granule = at + 14 <= tail.length ? tail.readBigInt64LE(at + 6) : -1n
    if (granule >= 0n && tail[at + 4] === 0) return granule
  }
  return 0n
}

/** Returns how many samples at the beginning are not played. */
function preSkip(head: Buffer): number {
  const at = head.indexOf(opusHead)
  return at >= 0 && at + 12 <= head.length ? head.readUInt16LE(at + 10) : 0
}
