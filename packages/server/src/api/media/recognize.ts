import { type Format, type FormatName, formats } from './format.ts'
import { looksLikeText } from './plain-text.ts'
import { recognizeZip } from './zip.ts'

/** Bytes of the head that {@link recognize} reads: enough for the names of a zip's first entries. */
export const headBytes = 64 * 1024

const oldOffice = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const oldOfficeNames = ['doc', 'xls', 'ppt'] as const satisfies readonly FormatName[]
const jpegMark = Buffer.from('ffd8ff', 'hex')
const pngMark = Buffer.from('89504e470d0a1a0a', 'hex')
const mp4Brands = /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |M4VH|M4VP|MSNV|dash|mmp4|f4v )/
const oggCodecs = [
  [Buffer.from('OpusHead'), 'opus'],
  [Buffer.from('\x01vorbis'), 'ogg'],
  [Buffer.from('Speex   '), 'ogg'],
  [Buffer.from('\x7fFLAC'), 'ogg'],
] as const satisfies readonly (readonly [Buffer, FormatName])[]

/**
 * Returns the format of a file by its first bytes, or null for one that may not be sent. The type that its server
 * claims is ignored; `name` only distinguishes formats with the same head. `head` is the whole file, or
 * {@link headBytes}.
 */
export function recognize(head: Buffer, name: string): Format | null {
  const found = bySignature(head, name) ?? byText(head, name)
  return found === null ? null : formats[found]
}

function bySignature(head: Buffer, name: string): FormatName | null {
  const ascii = (from: number, to: number) => head.toString('latin1', from, to)
  if (begins(head, jpegMark)) return 'jpeg'
  if (begins(head, pngMark)) return 'png'
  if (ascii(0, 4) === 'RIFF') return ({ WEBP: 'webp', WAVE: 'wav' } as const)[ascii(8, 12)] ?? null
  if (ascii(0, 5) === '%PDF-') return 'pdf'
  if (ascii(0, 4) === 'PK\x03\x04') return recognizeZip(head)
  if (begins(head, oldOffice)) return oldOfficeNames.find((one) => hasEnding(name, one)) ?? null
  if (ascii(0, 4) === 'OggS') return oggCodecs.find(([mark]) => begins(head.subarray(28), mark))?.[1] ?? null
  if (ascii(4, 8) === 'ftyp') return byBrand(ascii(8, 12))
  if (ascii(0, 3) === 'ID3') return 'mp3'
  if (ascii(0, 5) === '#!AMR') return 'amr'
  if (ascii(0, 4) === 'fLaC') return 'flac'
  return byFrame(head)
}

function begins(head: Buffer, mark: Buffer): boolean {
  return head.subarray(0, mark.length).equals(mark)
}

function byBrand(brand: string): FormatName | null {
  if (/^M4[AB] /.test(brand)) return 'm4a'
  return mp4Brands.test(brand) ? 'mp4' : null
}

/** Audio without a header begins with its first frame: eleven or twelve set bits, and settings that make sense. */
function byFrame(head: Buffer): FormatName | null {
  const [first = 0, second = 0, third = 0] = head
  if (first !== 0xff || head.length < 4) return null
  if ((second & 0xf6) === 0xf0) return 'aac'
  const isLayer3 = (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08
  const hasRates = (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
  return isLayer3 && hasRates ? 'mp3' : null
}

function byText(head: Buffer, name: string): FormatName | null {
  if (!looksLikeText(head)) return null
  return hasEnding(name, 'csv') ? 'csv' : 'text'
}

function hasEnding(name: string, format: FormatName): boolean {
  return formats[format].extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`))
}
