import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { requireVoiceNote } from './voice-note.ts'

const page = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(22), Buffer.from([1, 19])])
const note = Buffer.concat([page, Buffer.from('OpusHead'), Buffer.alloc(5000, 7)])

it.each([1, 20, 36, 8192])('hands on a voice note that comes in parts of %i bytes', async (size) => {
  const parts = Array.from({ length: Math.ceil(note.length / size) }, (_, n) => note.subarray(n * size, (n + 1) * size))
  expect(await buffer(await requireVoiceNote(Readable.from(parts)))).toEqual(note)
})

it.each<[string, Buffer]>([
  ['MP3', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(100)])],
  ['Ogg with Vorbis', Buffer.concat([page, Buffer.from('\x01vorbis'), Buffer.alloc(100)])],
  ['an empty file', Buffer.alloc(0)],
  ['a file that ends too early', note.subarray(0, 30)],
])('refuses %s and says what to do', async (_, bytes) => {
  const source = Readable.from([bytes])
  await expect(requireVoiceNote(source)).rejects.toMatchObject({
    kind: 'rejected',
    outcome: 'not_sent',
    safeMessage: expect.stringContaining('Convert it'),
  })
  expect(source.destroyed).toBe(true)
})
