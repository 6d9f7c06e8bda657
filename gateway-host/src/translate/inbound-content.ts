import { type FileKind, type SentFile, toStoredReference } from '@msgctl/network/files/reference'
import type { InboundMessage } from '@msgctl/network/gateway'
import { normalizeMessageContent, type proto } from 'baileys'
import { businessContent } from './business-content.ts'
import { isEmpty, unsupported, unsupportedOf } from './unsupported.ts'

/** What of a message people read: its type, its text, and what belongs to the type. */
export type InboundContent = Omit<InboundMessage, 'networkId' | 'from' | 'lid' | 'senderName' | 'groupId'>

/** The part of a message that has a file. */
interface FilePart extends Omit<SentFile, 'mimetype'> {
  readonly caption?: string | null
  readonly mimetype?: string | null
  readonly fileName?: string | null
  readonly fileLength?: unknown
}

/** Returns the content of a message; null for one that shows people nothing. */
export function contentOf(message: proto.IMessage | null | undefined): InboundContent | null {
  if (!message) return null
  const found = normalizeMessageContent(message) ?? {}
  // The wrapper of a kind that is newer than the library.
  if (found !== message && isEmpty(found)) return unsupported
  const read = plainText(found) ?? fileOf(found) ?? placeOf(found) ?? choiceOf(found) ?? titleOf(found)
  return read ?? businessOf(found) ?? unsupportedOf(found)
}

function chat(text: string | null | undefined): InboundContent {
  return { type: 'chat', text: text ?? '', raw: null }
}

function plainText(m: proto.IMessage): InboundContent | null {
  if (m.conversation) return chat(m.conversation)
  return m.extendedTextMessage ? chat(m.extendedTextMessage.text) : null
}

function fileOf(m: proto.IMessage): InboundContent | null {
  if (m.imageMessage) return file('image', 'image', m.imageMessage)
  const video = m.videoMessage ?? m.ptvMessage
  if (video) return file('video', 'video', video)
  if (m.documentMessage) return file('file', 'document', m.documentMessage)
  if (m.audioMessage) return file(m.audioMessage.ptt ? 'voice' : 'file', 'audio', m.audioMessage)
  return m.stickerMessage ? file('sticker', 'sticker', m.stickerMessage) : null
}

function file(type: InboundMessage['type'], kind: FileKind, part: FilePart): InboundContent {
  const mimetype = part.mimetype ?? 'application/octet-stream'
  const media = {
    mimetype,
    sizeBytes: Number(part.fileLength ?? 0),
    ...(part.fileName ? { filename: part.fileName } : {}),
  }
  return { type, text: part.caption ?? '', media, raw: toStoredReference(kind, { ...part, mimetype }) }
}

function placeOf(m: proto.IMessage): InboundContent | null {
  const place = m.locationMessage
  const live = m.liveLocationMessage
  const found = place ?? live
  if (!found) return null
  const { degreesLatitude, degreesLongitude } = found
  const text = place?.name ?? live?.caption ?? ''
  return { type: 'location', text, latitude: degreesLatitude ?? 0, longitude: degreesLongitude ?? 0, raw: null }
}

function choiceOf(m: proto.IMessage): InboundContent | null {
  const button = m.buttonsResponseMessage
  if (button) return chosen(button.selectedDisplayText, button.selectedButtonId)
  const template = m.templateButtonReplyMessage
  if (template) return chosen(template.selectedDisplayText, template.selectedId)
  const list = m.listResponseMessage
  if (!list) return null
  const selectedRowId = list.singleSelectReply?.selectedRowId
  return { type: 'list', text: list.title ?? '', raw: null, ...(selectedRowId ? { selectedRowId } : {}) }
}

function chosen(text: string | null | undefined, selectedButtonId: string | null | undefined): InboundContent {
  return { type: 'buttons', text: text ?? '', raw: null, ...(selectedButtonId ? { selectedButtonId } : {}) }
}

/** The words of a business, with the file that stands above them. */
function businessOf(m: proto.IMessage): InboundContent | null {
  const found = businessContent(m)
  if (!found) return null
  const withFile = fileOf(found.header)
  return withFile ? { ...withFile, text: found.text } : chat(found.text)
}

/** Messages of which we show only their title. */
function titleOf(m: proto.IMessage): InboundContent | null {
  if (m.contactMessage) return chat(m.contactMessage.displayName)
  if (m.contactsArrayMessage) return chat(m.contactsArrayMessage.displayName)
  const poll = pollOf(m)
  return poll ? chat(poll.name) : null
}

/** Returns the poll of a message, in any of its forms; null for none. */
export function pollOf(message: proto.IMessage | null | undefined): proto.Message.IPollCreationMessage | null {
  const m = normalizeMessageContent(message ?? undefined)
  return m?.pollCreationMessage ?? m?.pollCreationMessageV2 ?? m?.pollCreationMessageV3 ?? null
}
