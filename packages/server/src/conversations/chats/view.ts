import type { MessageStatus } from '@msgctl/contract'
import { displayName } from '#conversations/contacts/view.ts'
import type { ChatRow, SeenMessage } from './list-store.ts'
import type { UnsentMessage } from './unsent-store.ts'

/** The labels of files, and of what can only be seen on the phone. */
const labels: Readonly<Record<string, string>> = {
  image: 'Photo',
  video: 'Video',
  voice: 'Voice note',
  file: 'File',
  sticker: 'Sticker',
  unsupported: 'Unsupported message',
}

/** Returns the label of a file: its name if it has one, otherwise its kind; null for a message without a file. */
export function attachmentLabel(type: string, filename?: string): string | null {
  const kind = labels[type]
  if (kind === undefined) return null
  return type === 'file' && filename ? filename : kind
}

/** The content of a file that was sent without a caption: its kind, and its link or the name of the upload. */
const label = /^\[(?:image|video|file|voice)\] .+$/

/** Returns the text and the file label of a message as a chat shows them. */
function toTextAndLabel(message: SeenMessage): { text: string; attachment: string | null } {
  const { ownKind, ownContent } = message
  if (ownKind === null || ownContent === null) return { text: message.text, attachment: message.attachment }
  const attachment = attachmentLabel(ownKind)
  return { text: attachment !== null && label.test(ownContent) ? '' : ownContent, attachment }
}

/** Returns a chat as the API shows it (specification, "Chats and contacts"). */
export function chatView(row: ChatRow, unsent: MessageStatus | undefined) {
  const { text, attachment } = toTextAndLabel(row)
  return {
    containerId: row.containerId,
    ...personView(row),
    name: displayName(row),
    lastMessage: text,
    lastDirection: row.direction,
    lastAt: row.at.toISOString(),
    unread: row.unread,
    ...(attachment === null ? {} : { lastAttachment: attachment }),
    ...(unsent === undefined ? {} : { unsent }),
  }
}

/** Returns the digits or the hidden id of a person, or both in two fields. */
function personView({ phone, lid }: Pick<ChatRow, 'phone' | 'lid'>): { phone: string; lid?: string } {
  return phone !== null && lid !== null ? { phone, lid } : { phone: phone ?? lid ?? '' }
}

/** Returns a message that was not sent as the API shows it beside a thread. */
export function unsentView({ id, kind, content, status, error, at }: UnsentMessage) {
  const text = attachmentLabel(kind) !== null && label.test(content) ? '' : content
  return { id, text, at: at.toISOString(), status, error }
}

/** Messages that the owner wrote on the phone have no receipts. */
const typedStatus: MessageStatus = 'sent'

/** Returns a message of a thread as the API shows it. */
export function threadView(row: SeenMessage) {
  const { text } = toTextAndLabel(row)
  const { id, direction } = row
  const attachment = row.file === null ? {} : { attachment: row.file }
  const details = direction === 'out' ? { status: row.ownStatus ?? typedStatus } : { type: row.type, ...attachment }
  return { id, direction, text, at: row.at.toISOString(), ...details }
}
