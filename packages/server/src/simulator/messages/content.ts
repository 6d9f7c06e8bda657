import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../gateway/errors.ts'
import type { Content, InboundMessage } from '../../gateway/gateway.ts'

type Voice = Extract<Content, { kind: 'voice' }>
type Media = Exclude<Extract<Content, { bytes: () => Readable }>, Voice>
type Link = Extract<Content, { kind: 'link' }>
type Bytes = { readonly bytes: () => Readable; readonly sizeBytes: number }
type Measured<Of extends Bytes> = Omit<Of, 'bytes'> & { readonly sha256: string }

/** What the network keeps of a message: the content itself, of media only the measure of its bytes. */
export type StoredContent =
  | Exclude<Content, Media | Voice | Link>
  | Measured<Media>
  | Measured<Voice>
  | (Omit<Link, 'image'> & { readonly image?: Measured<NonNullable<Link['image']>> })
  | {
      readonly kind: 'inbound'
      readonly type: InboundMessage['type']
      readonly text: string
      readonly media?: { readonly mimetype: string }
    }

/** Takes the content over the wire: bytes are read to their end, so a stream that breaks is a send that breaks. */
export async function receive(content: Content, signal: AbortSignal | undefined): Promise<StoredContent> {
  if (content.kind === 'voice') return measure(content, signal)
  if ('bytes' in content) return measure(content, signal)
  if (content.kind !== 'link') return content
  const { image, ...link } = content
  return image ? { ...link, image: await measure(image, signal) } : link
}

async function measure<Of extends Bytes>(file: Of, signal: AbortSignal | undefined): Promise<Measured<Of>> {
  const { bytes, ...described } = file
  const hash = createHash('sha256')
  let sizeBytes = 0
  const stream = bytes()
  const stop = () => stream.destroy(new Error('the caller gave up'))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length
      hash.update(chunk)
    }
  } catch {
    throw new GatewayError('rejected', 'The file could not be read to its end.')
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  if (sizeBytes !== file.sizeBytes) {
    throw new GatewayError('rejected', `The file has ${sizeBytes} bytes, ${file.sizeBytes} were announced.`)
  }
  return { ...described, sha256: hash.digest('hex') }
}

/** The words of a message, or a label where it has none. */
export function contentText(content: StoredContent): string {
  switch (content.kind) {
    case 'text':
    case 'link':
    case 'inbound':
      return content.text
    case 'voice':
      return '[voice]'
    case 'image':
    case 'video':
    case 'file':
      return content.caption ?? `[${content.kind}]`
    case 'contacts':
      return content.contacts.map((contact) => contact.fullName).join(', ')
    case 'location':
      return content.name ?? `${content.latitude},${content.longitude}`
    case 'poll':
      return content.question
  }
}

/** Returns the content with another text, or null when the network does not allow a change. */
export function withText(content: StoredContent, text: string): StoredContent | null {
  switch (content.kind) {
    case 'text':
    case 'link':
      return { ...content, text }
    case 'image':
    case 'video':
    case 'file':
      return { ...content, caption: text }
    default:
      return null
  }
}
