import { Readable } from 'node:stream'
import type { Content } from '@msgctl/network/content'
import { badRequest } from './failures.ts'

/** The body of a request that sends a message; it was checked against WAHA's document before. */
export interface SendBody {
  readonly session: string
  readonly chatId: string
  readonly id?: string
  readonly text?: string
  readonly linkPreview?: boolean
  readonly caption?: string
  readonly file?: FileBody
  readonly contacts?: readonly { readonly vcard: string }[]
  readonly latitude?: number
  readonly longitude?: number
  readonly title?: string
  readonly poll?: { readonly name: string; readonly options: string[]; readonly multipleAnswers: boolean }
  readonly preview?: {
    readonly url: string
    readonly title: string
    readonly description?: string
    readonly image?: FileBody
  }
}

interface FileBody {
  readonly mimetype?: string
  readonly filename?: string
  readonly data?: string
  readonly url?: string
}

/** Returns what a request sends, as the network takes it. Files behind a link are fetched. */
export async function contentOf(path: string, body: SendBody): Promise<Content> {
  switch (path) {
    case '/api/sendImage':
    case '/api/sendVideo':
    case '/api/sendFile':
      return {
        kind: path === '/api/sendImage' ? 'image' : path === '/api/sendVideo' ? 'video' : 'file',
        ...(await fileOf(body.file)),
        ...(body.file?.filename ? { filename: body.file.filename } : {}),
        ...(body.caption ? { caption: body.caption } : {}),
      }
    case '/api/sendVoice':
      return { kind: 'voice', seconds: 1, ...(await fileOf(body.file)) }
    case '/api/sendContactVcard':
      return { kind: 'contacts', contacts: (body.contacts ?? []).map(({ vcard }) => contactOf(vcard)) }
    case '/api/sendLocation': {
      const { latitude = 0, longitude = 0, title } = body
      return { kind: 'location', latitude, longitude, ...(title ? { name: title } : {}) }
    }
    case '/api/sendPoll': {
      const { name: question = '', options = [], multipleAnswers = false } = body.poll ?? {}
      return { kind: 'poll', question, options, multipleAnswers }
    }
    case '/api/send/link-custom-preview':
      return linkOf(body)
    default:
      return { kind: 'text', text: body.text ?? '', ...(body.linkPreview ? { linkPreview: true } : {}) }
  }
}

async function linkOf({ text = '', preview }: SendBody): Promise<Content> {
  if (!preview || !text.includes(preview.url)) throw badRequest(['text must contain preview.url'])
  const { url, title, description, image } = preview
  return {
    kind: 'link',
    text,
    url,
    // Without a title of its own a preview is titled by its link.
    ...(title === url ? {} : { title }),
    ...(description ? { description } : {}),
    ...(image ? { image: await fileOf(image) } : {}),
  }
}

async function fileOf(file: FileBody | undefined) {
  const bytes = file?.url ? await download(file.url) : Buffer.from(file?.data ?? '', 'base64')
  return { bytes: () => Readable.from([bytes]), sizeBytes: bytes.length, mimetype: file?.mimetype ?? 'image/png' }
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw badRequest([`the file responds with ${response.status}`])
  return Buffer.from(await response.arrayBuffer())
}

function contactOf(vcard: string) {
  const line = (name: string) => new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(vcard)?.[1]
  const value = (name: string) =>
    line(name)
      ?.replaceAll('\\n', '\n')
      .replaceAll(/\\([\\,;])/g, '$1')
  const organization = value('ORG')?.replace(/;$/, '')
  const email = value('EMAIL')
  const url = value('URL')
  return {
    fullName: value('FN') ?? '',
    phone: (line('TEL') ?? '').replace('+', ''),
    ...(organization ? { organization } : {}),
    ...(email ? { email } : {}),
    ...(url ? { url } : {}),
  }
}
