import { randomBytes } from 'node:crypto'
import type { Content } from '@msgctl/network/gateway'
import { proto } from 'baileys'

type FileContent = Extract<Content, { kind: 'image' | 'video' | 'file' | 'voice' }>

/** Content without a file of its own, with the bytes of a preview's picture. */
export type PlainContent = Exclude<Content, FileContent>

/** Returns a message without a file as the network's protobuf. `picture` is the preview of a link. */
export function plainMessage(content: PlainContent, picture: Uint8Array | null): proto.IMessage {
  switch (content.kind) {
    case 'text':
      return { extendedTextMessage: { text: content.text } }
    case 'contacts':
      return contactsMessage(content.contacts)
    case 'location':
      return {
        locationMessage: {
          degreesLatitude: content.latitude,
          degreesLongitude: content.longitude,
          ...(content.name === undefined ? {} : { name: content.name }),
          ...(content.address === undefined ? {} : { address: content.address }),
        },
      }
    case 'link':
      return linkMessage(content, picture)
    case 'poll':
      return pollMessage(content)
  }
}

function linkMessage(content: Extract<Content, { kind: 'link' }>, picture: Uint8Array | null): proto.IMessage {
  const { text, url, title, description } = content
  return {
    extendedTextMessage: {
      text: text.includes(url) ? text : `${text} ${url}`,
      matchedText: url,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(picture ? { jpegThumbnail: picture } : {}),
    },
  }
}

function pollMessage({ question, options, multipleAnswers }: Extract<Content, { kind: 'poll' }>): proto.IMessage {
  const poll = {
    name: question,
    selectableOptionsCount: multipleAnswers ? 0 : 1,
    options: options.map((optionName) => ({ optionName })),
  }
  return multipleAnswers ? { pollCreationMessage: poll } : { pollCreationMessageV3: poll }
}

type Contact = Extract<Content, { kind: 'contacts' }>['contacts'][number]

function contactsMessage(contacts: readonly Contact[]): proto.IMessage {
  const cards = contacts.map((contact) => ({ displayName: contact.fullName, vcard: vcardOf(contact) }))
  const [only] = cards
  if (only && cards.length === 1) return { contactMessage: only }
  return { contactsArrayMessage: { displayName: `${cards.length} contacts`, contacts: cards } }
}

function vcardOf({ fullName, phone, organization, email, url }: Contact): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escapeValue(fullName)}`,
    ...(organization ? [`ORG:${escapeValue(organization)};`] : []),
    `TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`,
    ...(email ? [`EMAIL:${escapeValue(email)}`] : []),
    ...(url ? [`URL:${url.replaceAll(/[\r\n]/g, '')}`] : []),
    'END:VCARD',
  ].join('\n')
}

/** Escapes a value of a card, so that it cannot add lines of its own. */
function escapeValue(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(/\r?\n|\r/g, '\\n')
    .replaceAll(/[,;]/g, '\\$&')
}

/** Returns the message that changes the text of another one, or the caption of its file. */
export function editMessage(
  { jid, networkId, original }: { jid: string; networkId: string; original: proto.IMessage },
  text: string,
  nowMs: number,
): proto.IMessage {
  const key = { remoteJid: jid, fromMe: true, id: networkId }
  const type = proto.Message.ProtocolMessage.Type.MESSAGE_EDIT
  return { protocolMessage: { key, type, editedMessage: editedContent(original, text), timestampMs: nowMs } }
}

/** A text in the place of a caption would erase it. */
function editedContent({ imageMessage, videoMessage, documentMessage }: proto.IMessage, text: string): proto.IMessage {
  const part = { caption: text }
  if (imageMessage) return { imageMessage: part }
  if (videoMessage) return { videoMessage: part }
  if (documentMessage) return { documentMessage: part }
  return { extendedTextMessage: { text } }
}

/** Returns the message that takes another one back. */
export function revokeMessage(jid: string, networkId: string): proto.IMessage {
  const key = { remoteJid: jid, fromMe: true, id: networkId }
  return { protocolMessage: { key, type: proto.Message.ProtocolMessage.Type.REVOKE } }
}

/**
 * Returns a message with a secret of its own, which is kept with it: it opens the votes of a poll and encrypted
 * changes, and proves to the network what people report.
 */
export function withSecret({ messageContextInfo, ...content }: proto.IMessage): proto.IMessage {
  return { ...content, messageContextInfo: { ...messageContextInfo, messageSecret: randomBytes(32) } }
}
