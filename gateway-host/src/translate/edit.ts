import { normalizeMessageContent, proto } from 'baileys'
import { contentOf } from './inbound-content.ts'
import { openSealed } from './secret-key.ts'

/** The secret that came with a message, and the addresses of who wrote it. */
export interface MessageSecret {
  readonly secret: Uint8Array
  readonly authors: readonly string[]
}

const { MESSAGE_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType

/** Returns the id of the message that an encrypted edit changes; null for anything else. */
export function editedId({ secretEncryptedMessage }: proto.IMessage): string | null {
  const { secretEncType, targetMessageKey } = secretEncryptedMessage ?? {}
  return secretEncType === MESSAGE_EDIT ? (targetMessageKey?.id ?? null) : null
}

/**
 * Returns the new text of a message that an edit changes; null when it cannot be decrypted or has none. Only who wrote
 * a message can change it: everybody in a group has its secret. `editors` are the addresses of who changes it; the
 * phone derives the key with either.
 */
export function openEdit(
  { secretEncryptedMessage }: proto.IMessage,
  messageId: string,
  { secret, authors }: MessageSecret,
  editors: readonly string[],
): string | null {
  if (!secretEncryptedMessage || !authors.some((author) => editors.includes(author))) return null
  for (const author of authors) {
    for (const by of editors) {
      const derivation = { messageId, author, by, purpose: 'Message Edit', authenticated: '' } as const
      const text = openSealed(secretEncryptedMessage, secret, derivation, (plain) =>
        textOf(proto.Message.decode(plain)),
      )
      if (text !== null) return text
    }
  }
  return null
}

function textOf(message: proto.IMessage): string | null {
  const edit = normalizeMessageContent(message)?.protocolMessage
  const content = contentOf(edit ? edit.editedMessage : message)
  return content && content.type !== 'unsupported' ? content.text : null
}
