import type { BinaryNode, MessageRelayOptions, proto } from 'baileys'
import type { RelayOptions } from '../engine.ts'
import { stanza } from './stanzas.ts'

/** A message with what the library has to be given beside it. */
interface MessageForm {
  readonly message: proto.IMessage
  readonly options: Pick<MessageRelayOptions, 'messageId' | 'additionalAttributes' | 'additionalNodes'>
}

/**
 * Returns how a message leaves, with `attrs` on its stanza: a poll is marked as one beside its ciphertexts, a change of
 * another message as an edit or a revoke, hidden on devices that cannot decrypt it.
 */
export function formOf(
  message: proto.IMessage,
  { id, change }: RelayOptions,
  attrs: Readonly<Record<string, string>>,
): MessageForm {
  const options = { messageId: id, additionalAttributes: { ...attrs }, additionalNodes: marksOf(message) }
  if (change === undefined) return { message, options }
  return {
    message: hidden(message),
    options: { ...options, additionalAttributes: { ...attrs, edit: change === 'edit' ? '1' : '7' } },
  }
}

function marksOf({ pollCreationMessage, pollCreationMessageV3 }: proto.IMessage): BinaryNode[] {
  return pollCreationMessage || pollCreationMessageV3 ? [stanza('meta', { polltype: 'creation' })] : []
}

/**
 * The library marks the ciphertexts as hidden of messages that pin something, and of no others that we send. It looks
 * at the field only; a field that a message inherits is not encoded.
 */
function hidden(message: proto.IMessage): proto.IMessage {
  const pinning: proto.IMessage = { pinInChatMessage: {} }
  return Object.assign(Object.create(pinning) as proto.IMessage, message)
}

/** Returns what the library writes beside a message and beside each of its ciphertexts, by its content. */
export function stanzaTypesOf(message: proto.IMessage): {
  readonly attrs: { readonly type: string }
  readonly encAttrs: Readonly<Record<string, string>>
} {
  const mediatype = mediaTypeOf(message)
  const isPoll = message.pollCreationMessage ?? message.pollCreationMessageV3
  const ofFile = mediatype === undefined ? 'text' : 'media'
  return {
    attrs: { type: isPoll ? 'poll' : ofFile },
    encAttrs: { ...(mediatype ? { mediatype } : {}), ...(message.pinInChatMessage ? { 'decrypt-fail': 'hide' } : {}) },
  }
}

function mediaTypeOf(message: proto.IMessage): string | undefined {
  if (message.imageMessage) return 'image'
  if (message.videoMessage) return 'video'
  if (message.audioMessage) return message.audioMessage.ptt ? 'ptt' : 'audio'
  if (message.documentMessage) return 'document'
  if (message.contactMessage) return 'vcard'
  return message.contactsArrayMessage ? 'contact_array' : undefined
}
