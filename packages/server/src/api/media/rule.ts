import { type FormatName, formats } from './format.ts'

/** The ways a file is sent; each has its own bounds. */
export type MediaKind = 'image' | 'video' | 'file' | 'voice'

/** What may be sent in one way. */
export interface MediaRule {
  readonly maxBytes: number
  readonly formats: ReadonlySet<FormatName>
  /** The formats in words, for people. */
  readonly allowed: string
}

const mib = 1024 * 1024
const audio: readonly FormatName[] = ['opus', 'ogg', 'mp3', 'm4a', 'aac', 'amr', 'wav', 'flac']

/** What each kind takes (specification, "Media sends"). */
export const mediaRules: Readonly<Record<MediaKind, MediaRule>> = {
  image: { maxBytes: 16 * mib, formats: new Set(['jpeg', 'png', 'webp']), allowed: 'JPEG, PNG or WebP photos' },
  video: { maxBytes: 16 * mib, formats: new Set(['mp4']), allowed: 'MP4 video' },
  file: {
    maxBytes: 100 * mib,
    formats: new Set(Object.keys(formats) as FormatName[]),
    allowed: 'photos, PDFs, Office files, text and CSV, voice notes, audio and MP4 video',
  },
  voice: { maxBytes: 16 * mib, formats: new Set(audio), allowed: 'voice notes and audio' },
}
