import type { MessageStatus } from '@msgctl/contract'
import { displayName } from '../contacts/view.ts'
import type { ChatRow, SeenMessage } from './list-store.ts'

/** What a file is called where there is no room for it. */
const files: Readonly<Record<string, string>> = {
  image: 'Photo',
  video: 'Video',
  voice: 'Voice note',
  file: 'File',
  sticker: 'Sticker',
}

/** The summary of a file: its name where it has one, else what kind it is; null for a message without a file. */
export function attachmentLabel(type: string, filename?: string): string | null {
  const kind = files[type]
  if (kind === undefined) return null
  return type === 'file' && filename ? filename : kind
}

/** A file that was sent without a caption has a label with its link in the place of one. */
const label = /^\[(?:image|video|file|voice)\] https?:\/\/\S+$/

/** The text and the file of a message as a chat shows them. */
function wordsOf(message: SeenMessage): { text: string; attachment: string | null } {
  const { ownKind, ownContent } = message
  if (ownKind === null || ownContent === null) return { text: message.text, attachment: message.attachment }
  const attachment = attachmentLabel(ownKind)
  return { text: attachment !== null && label.test(ownContent) ? '' : ownContent, attachment }
}

/** A conversation as the API shows it (specification, "Chats and contacts"). */
export function chatView(row: ChatRow) {
  const { text, attachment } = wordsOf(row)
  return {
    ...personView(row),
    name: displayName(row),
    lastMessage: text,
    lastDirection: row.direction,
    lastAt: row.at.toISOString(),
    unread: row.unread,
    ...(attachment === null ? {} : { lastAttachment: attachment }),
  }
}

/** Digits, or the hidden id; with both, the hidden id stands beside them. */
function personView({ phone, lid }: Pick<ChatRow, 'phone' | 'lid'>): { phone: string; lid?: string } {
  return phone !== null && lid !== null ? { phone, lid } : { phone: phone ?? lid ?? '' }
}

/** What the owner wrote on the phone has no receipts of ours; it was sent. */
const typedStatus: MessageStatus = 'sent'

/** A message of a thread as the API shows it. */
export function threadView(row: SeenMessage) {
  const { text } = wordsOf(row)
  const { id, direction } = row
  const fact = direction === 'out' ? { status: row.ownStatus ?? typedStatus } : { type: row.type }
  return { id, direction, text, at: row.at.toISOString(), ...fact }
}
