import type { proto } from 'baileys'
import type { Network } from '../network.ts'
import type { ShownMessage } from './accounts.ts'

const revoke = 0

/** Changes a message on the phone that shows it. */
export function applyChange(
  { rules }: Network,
  shown: ShownMessage | undefined,
  change: proto.Message.IProtocolMessage,
): void {
  if (!shown) return
  if (change.type === revoke) shown.revoked = true
  const { editedMessage } = change
  if (!editedMessage) return
  const text = editedMessage.conversation ?? editedMessage.extendedTextMessage?.text
  const caption = captionOf(editedMessage)
  const isErased = captionOf(shown.message) !== undefined && caption === undefined
  shown.edited = rules.breaks('caption-edit', isErased) ? '' : (text ?? caption ?? shown.edited)
}

/** Returns the caption of a file that can have one; undefined for a message without such a file. */
function captionOf({ imageMessage, videoMessage, documentMessage }: proto.IMessage): string | undefined {
  const file = imageMessage ?? videoMessage ?? documentMessage
  return file ? (file.caption ?? '') : undefined
}
