import { createHash } from 'node:crypto'
import type { StoredContent } from '#networks/simulator/messages/plan.ts'

/** A message as the test network shows it: protobuf as JSON. */
type Shown = Readonly<Record<string, Part | undefined>>

interface Part {
  readonly text?: string
  readonly matchedText?: string
  readonly title?: string
  readonly description?: string
  readonly jpegThumbnail?: string
  readonly mimetype?: string
  readonly caption?: string
  readonly fileName?: string
  readonly fileLength?: string
  readonly fileSha256?: string
  readonly seconds?: number
  readonly name?: string
  readonly address?: string
  readonly degreesLatitude?: number
  readonly degreesLongitude?: number
  readonly options?: readonly { readonly optionName: string }[]
  readonly vcard?: string
  readonly contacts?: readonly { readonly vcard: string }[]
}

/** Returns the content of a message as the simulator lists it. */
export function toContent(message: unknown): StoredContent {
  const shown = message as Shown
  const picture = shown.imageMessage ?? shown.videoMessage
  const file = shown.documentMessage
  const poll = shown.pollCreationMessage ?? shown.pollCreationMessageV3
  const cards = shown.contactMessage ? [shown.contactMessage] : shown.contactsArrayMessage?.contacts
  if (picture) return { kind: shown.imageMessage ? 'image' : 'video', ...measureOf(picture) }
  if (file) return { kind: 'file', ...measureOf(file) }
  if (shown.audioMessage)
    return { kind: 'voice', seconds: shown.audioMessage.seconds ?? 0, ...measureOf(shown.audioMessage) }
  if (shown.locationMessage) return toLocation(shown.locationMessage)
  if (cards) return { kind: 'contacts', contacts: cards.map(({ vcard = '' }) => toContact(vcard)) }
  if (poll) {
    const options = (poll.options ?? []).map(({ optionName }) => optionName)
    return {
      kind: 'poll',
      question: poll.name ?? '',
      options,
      multipleAnswers: shown.pollCreationMessage !== undefined,
    }
  }
  return toText(shown)
}

function toText(shown: Shown): StoredContent {
  const { text = '', matchedText, title, description, jpegThumbnail } = shown.extendedTextMessage ?? {}
  if (matchedText === undefined) return { kind: 'text', text }
  const image = jpegThumbnail === undefined ? {} : { image: toPicture(Buffer.from(jpegThumbnail, 'base64')) }
  return { kind: 'link', text, url: matchedText, ...given({ title, description }), ...image }
}

/** Returns the measure of the picture of a preview, which comes without its type. */
function toPicture(bytes: Buffer) {
  const mimetype = bytes.subarray(1, 4).toString('latin1') === 'PNG' ? 'image/png' : 'image/jpeg'
  return { mimetype, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

function toLocation({ degreesLatitude = 0, degreesLongitude = 0, name, address }: Part): StoredContent {
  return { kind: 'location', latitude: degreesLatitude, longitude: degreesLongitude, ...given({ name, address }) }
}

function measureOf({ mimetype = '', caption, fileName, fileLength, fileSha256 = '' }: Part) {
  return {
    mimetype,
    sizeBytes: Number(fileLength ?? 0),
    sha256: Buffer.from(fileSha256, 'base64').toString('hex'),
    ...given({ caption, filename: fileName }),
  }
}

/** Returns the person of a card. */
function toContact(vcard: string) {
  const line = (pattern: RegExp) => pattern.exec(vcard)?.[1]?.replaceAll(/\\(.)/g, '$1')
  return {
    fullName: line(/^FN:(.*)$/m) ?? '',
    phone: line(/waid=(\d+)/) ?? '',
    ...given({
      organization: line(/^ORG:(.*);$/m),
      email: line(/^EMAIL:(.*)$/m),
      url: line(/^URL:(.*)$/m),
    }),
  }
}

/** Returns the fields that have a value. */
function given<Fields extends Record<string, string | undefined>>(fields: Fields): { [Name in keyof Fields]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
