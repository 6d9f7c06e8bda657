import type { Readable } from 'node:stream'

/** Bytes that can be read from their beginning several times. */
interface Bytes {
  readonly bytes: () => Readable
  readonly sizeBytes: number
  readonly mimetype: string
}

/** A message to send. */
export type Content =
  | { kind: 'text'; text: string; linkPreview?: boolean }
  | ({ kind: 'image' | 'video' | 'file'; filename?: string; caption?: string } & Bytes)
  | ({
      /** Ogg with Opus only. No driver converts. */
      kind: 'voice'
      seconds: number
      /** The loudness over the whole note, 64 values from 0 to 100. */
      waveform?: readonly number[]
    } & Bytes)
  | {
      kind: 'contacts'
      contacts: { fullName: string; phone: string; organization?: string; email?: string; url?: string }[]
    }
  | { kind: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  | {
      kind: 'link'
      text: string
      url: string
      title?: string
      description?: string
      /** The picture of the preview. */
      image?: Bytes
    }
  | { kind: 'poll'; question: string; options: string[]; multipleAnswers: boolean }
