import { describe, expect, it } from 'vitest'
import { samples, strangers } from '#testing/sample-files.ts'
import { formats } from './format.ts'
import { headBytes, recognize } from './recognize.ts'
import { mediaRules } from './rule.ts'

const names: Readonly<Record<string, string>> = { doc: 'a.doc', xls: 'A.XLS', ppt: 'a.ppt', csv: 'list.CSV' }

describe('what a file is', () => {
  it.each(Object.entries(samples))('is seen by its first bytes: %s', (name, bytes) => {
    expect(recognize(bytes, names[name] ?? '')?.name).toBe(name)
  })

  it.each(Object.entries(strangers))('is none of what may be sent: %s', (_what, bytes) => {
    expect(recognize(bytes, 'photo.jpg')).toBeNull()
  })

  it('has a sample of every format', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(formats).sort())
  })

  it.each([
    ['a name', 'evil.pdf', 'MZ\x90\0\x03'],
    ['a name', 'evil.doc', '\x7fELF\x02\0'],
    ['an old Office file without a name that says which', 'thumbs.db', samples.doc.toString('latin1')],
  ])('is not believed of %s alone: %s', (_what, name, bytes) => {
    expect(recognize(Buffer.from(bytes, 'latin1'), name)).toBeNull()
  })

  it.each([
    ['UTF-16 of little end', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('a;b\n', 'utf16le')])],
    ['UTF-16 of big end', Buffer.from('feff0061003b0062', 'hex')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffhello')],
    ['one byte a character', Buffer.from('Caf\xe9', 'latin1')],
    ['a text that only begins like a tag', Buffer.from('< 5 of them')],
  ])('is text in %s', (_encoding, bytes) => {
    expect(recognize(bytes, '')?.name).toBe('text')
  })

  it('is an MP3 without a header when its first frame makes sense', () => {
    expect(recognize(Buffer.from('fffb90640000', 'hex'), '')?.name).toBe('mp3')
    expect(recognize(Buffer.from('fffbf0640000', 'hex'), '')).toBeNull()
    expect(recognize(Buffer.from('ffeb90640000', 'hex'), '')).toBeNull()
  })

  it('never fails, whatever the bytes', () => {
    for (const bytes of Object.values(samples)) {
      for (let length = 0; length < bytes.length; length += 1) recognize(bytes.subarray(0, length), 'a.doc')
    }
    for (let first = 0; first < 256; first += 1) {
      recognize(Buffer.alloc(headBytes, first), '')
      recognize(Buffer.from([first]), '')
    }
  })
})

describe('what each kind takes', () => {
  it('is what the specification says', () => {
    const taken = Object.fromEntries(Object.entries(mediaRules).map(([kind, rule]) => [kind, [...rule.formats]]))
    expect(taken.image).toEqual(['jpeg', 'png', 'webp'])
    expect(taken.video).toEqual(['mp4'])
    expect(taken.file?.sort()).toEqual(Object.keys(formats).sort())
    for (const name of taken.voice ?? []) expect(formats[name].mimetype).toMatch(/^audio\//)
    const mib = Object.values(mediaRules).map(({ maxBytes }) => maxBytes / 1024 / 1024)
    expect(mib).toEqual([16, 16, 100, 16])
  })
})
