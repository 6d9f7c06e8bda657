import type { Content } from '@msgctl/network/gateway'
import { page, photo, type SampleFile, video, voiceNote } from './sample-files.ts'

/** A kind of message that the check sends, beside texts. */
export interface SampleKind {
  readonly name: string
  readonly content: Content
  /** What GET /messages shows. */
  readonly label: string
  /** What arrives as its text; null where networks differ. */
  readonly text: string | null
  readonly file?: Buffer
}

const link = 'https://example.com/'

function withFile(
  name: string,
  content: (file: Omit<SampleFile, 'content'>) => Content,
  sample: SampleFile,
  caption: string | null = null,
): SampleKind {
  const { content: bytes, ...file } = sample
  return { name, content: content(file), label: caption ?? `[${name.toLowerCase()}]`, text: caption, file: bytes }
}

/** The caption of the photo; the check edits it. */
export const photoCaption = 'check: a photo'

/** Every kind that is sent, by its word on the command line. */
export const kinds = {
  image: withFile(
    'Photo',
    (file) => ({ kind: 'image', ...file, filename: 'check.jpg', caption: photoCaption }),
    photo,
    photoCaption,
  ),
  video: withFile(
    'Video',
    (file) => ({ kind: 'video', ...file, filename: 'check.mp4', caption: 'check: a video' }),
    video,
    'check: a video',
  ),
  file: withFile('File', (file) => ({ kind: 'file', ...file, filename: 'check.pdf' }), page),
  voice: withFile('Voice note', (file) => ({ kind: 'voice', ...file, seconds: 2 }), voiceNote),
  location: {
    name: 'Location',
    content: { kind: 'location', latitude: 38.8977, longitude: -77.0365, name: 'check: a place' },
    label: '[location] 38.8977,-77.0365 check: a place',
    text: 'check: a place',
  },
  contact: {
    name: 'Contact',
    content: { kind: 'contacts', contacts: [{ fullName: 'Check Contact', phone: '12025550199' }] },
    label: '[contact] Check Contact',
    text: null,
  },
  link: {
    name: 'Link',
    content: { kind: 'link', text: `check: a link ${link}`, url: link, title: 'Example', description: 'A preview' },
    label: `check: a link ${link}`,
    text: link,
  },
  poll: {
    name: 'Poll',
    content: { kind: 'poll', question: 'check: which day?', options: ['Monday', 'Tuesday'], multipleAnswers: false },
    label: '[poll] check: which day?',
    text: null,
  },
} as const satisfies Readonly<Record<string, SampleKind>>

export type KindWord = keyof typeof kinds
