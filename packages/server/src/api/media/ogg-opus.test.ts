import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { opusSeconds } from './ogg-opus.ts'

/** One page of an Ogg file. */
function page(granule: bigint, body: Buffer): Buffer {
  const head = Buffer.alloc(28)
  head.write('OggS', 0, 'latin1')
  head.writeBigInt64LE(granule, 6)
  head[26] = 1
  head[27] = body.length
  return Buffer.concat([head, body])
}

/** The header of a stream whose first `preSkip` samples are not played. */
function opusHead(preSkip: number): Buffer {
  const body = Buffer.alloc(19)
  body.write('OpusHead', 0, 'latin1')
  body.writeUInt16LE(preSkip, 10)
  return page(0n, body)
}

const second = 48_000n
const sound = Buffer.alloc(200, 7)

it.each<[string, Buffer[], number]>([
  ['a note of two seconds', [opusHead(0), page(second, sound), page(second * 2n, sound)], 2],
  ['a note of a little more, rounded up', [opusHead(0), page(second * 2n + 1n, sound)], 3],
  ['samples that are not played', [opusHead(312), page(second * 2n + 312n, sound)], 2],
  ['a last page on which no packet ends', [opusHead(0), page(second * 5n, sound), page(-1n, sound)], 5],
  ['a file that is cut off within a page', [opusHead(0), page(second * 3n, sound), Buffer.from('OggS\0')], 3],
  ['a file without sound', [opusHead(0)], 0],
  ['what is no Ogg at all', [Buffer.from('nothing of that kind')], 0],
  ['an empty file', [], 0],
  ['a long one', [opusHead(0), ...Array.from({ length: 2000 }, (_, n) => page(second * BigInt(n + 1), sound))], 2000],
])('counts the seconds of %s', async (_what, parts, seconds) => {
  expect(await opusSeconds(Readable.from(parts))).toBe(seconds)
  // However the bytes arrive.
  const bytes = Buffer.concat(parts)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, n) =>
    bytes.subarray(n * 1000, n * 1000 + 1000),
  )
  expect(await opusSeconds(Readable.from(pieces))).toBe(seconds)
})
