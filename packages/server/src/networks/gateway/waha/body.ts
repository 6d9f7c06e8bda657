import type { Readable } from 'node:stream'
import type { Content } from '@msgctl/network/content'
import type { NetAddress } from '@msgctl/network/session'
import { toChatId } from './address.ts'
import { toVcard } from './vcard.ts'

/** The content of a file: its bytes inside the request, or a link under which WAHA fetches them. */
type FileBody = { readonly data: string } | { readonly url: string }

/** A request that sends a message, without the id that we choose. */
export interface SendRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

interface Bytes {
  readonly bytes: () => Readable
  readonly sizeBytes: number
  readonly mimetype: string
}

/** Converts a file into one of the two forms. */
export type ToFileBody = (file: Bytes & { readonly filename: string }) => FileBody | Promise<FileBody>

type MediaKind = 'image' | 'video' | 'file' | 'voice'

const mediaPaths: Readonly<Record<MediaKind, string>> = {
  image: '/api/sendImage',
  video: '/api/sendVideo',
  file: '/api/sendFile',
  voice: '/api/sendVoice',
}
const defaultNames: Readonly<Record<MediaKind, string>> = {
  image: 'photo',
  video: 'video.mp4',
  file: 'file',
  voice: 'voice.ogg',
}

/** Returns the request that sends a message. Throws what `toFileBody` throws. */
export async function toSendRequest(
  session: string,
  to: NetAddress,
  content: Content,
  toFileBody: ToFileBody,
): Promise<SendRequest> {
  const base = { session, chatId: toChatId(to) }
  switch (content.kind) {
    case 'text':
      return {
        path: '/api/sendText',
        body: { ...base, text: content.text, linkPreview: content.linkPreview ?? false },
      }
    case 'image':
    case 'video':
    case 'file':
    case 'voice':
      return { path: mediaPaths[content.kind], body: { ...base, ...(await mediaFields(content, toFileBody)) } }
    case 'contacts':
      return {
        path: '/api/sendContactVcard',
        body: { ...base, contacts: content.contacts.map((contact) => ({ vcard: toVcard(contact) })) },
      }
    case 'location': {
      const { latitude, longitude, name, address } = content
      return { path: '/api/sendLocation', body: { ...base, latitude, longitude, title: titleOf(name, address) } }
    }
    case 'link':
      return { path: '/api/send/link-custom-preview', body: { ...base, ...(await linkFields(content, toFileBody)) } }
    case 'poll': {
      const { question: name, options, multipleAnswers } = content
      return { path: '/api/sendPoll', body: { ...base, poll: { name, options, multipleAnswers } } }
    }
  }
}

/** WAHA has one line for a place. */
function titleOf(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(', ')
}

async function mediaFields(content: Extract<Content, { kind: MediaKind }>, toFileBody: ToFileBody) {
  const { kind, mimetype } = content
  const filename = ('filename' in content ? content.filename : undefined) ?? defaultNames[kind]
  const file = { mimetype, filename, ...(await toFileBody({ ...content, filename })) }
  // WAHA converts nothing: what the network cannot take was refused before.
  if (kind === 'voice') return { file, convert: false }
  const caption = { caption: ('caption' in content ? content.caption : undefined) ?? '' }
  return kind === 'video' ? { file, convert: false, ...caption } : { file, ...caption }
}

async function linkFields(content: Extract<Content, { kind: 'link' }>, toFileBody: ToFileBody) {
  const { text, url, title, description, image } = content
  const picture = image && { image: await toFileBody({ ...image, filename: defaultNames.image }) }
  return {
    // WAHA refuses a text that does not contain the link of the preview.
    text: text.includes(url) ? text : `${text}\n${url}`.trimStart(),
    preview: { url, title: title ?? url, description: description ?? '', ...picture },
  }
}

/** Reads a file and returns it as base64. */
export async function toBase64({ bytes }: Pick<Bytes, 'bytes'>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of bytes()) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts).toString('base64')
}
