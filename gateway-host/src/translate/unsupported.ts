import type { proto } from 'baileys'
import type { InboundContent } from './inbound-content.ts'

/** Parts of a message that show people nothing of their own. */
const unseen: ReadonlySet<string> = new Set<keyof proto.IMessage>([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'protocolMessage',
  'pollUpdateMessage',
  // Its pictures come as messages of their own.
  'albumMessage',
  'stickerSyncRmrMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
])

/** What phones show beside another message, without counting it as unread. */
const quiet: ReadonlySet<string> = new Set<keyof proto.IMessage>([
  'reactionMessage',
  'encReactionMessage',
  'keepInChatMessage',
  'pinInChatMessage',
  'encEventResponseMessage',
  'secretEncryptedMessage',
])

/** What stands for a message that people see on the phone and that cannot be read here. */
export const unsupported: InboundContent = { type: 'unsupported', text: '', raw: null }

/** The same for one that phones do not count as unread. */
export const quietlyUnsupported: InboundContent = { ...unsupported, isQuiet: true }

/** Returns what stands for a message of a kind that is not read; null for one that shows people nothing. */
export function unsupportedOf(message: proto.IMessage): InboundContent | null {
  const seen = Object.keys(message).filter((name) => !unseen.has(name))
  if (seen.length === 0) return null
  return seen.every((name) => quiet.has(name)) ? quietlyUnsupported : unsupported
}

/** The number of `messageContextInfo`, which comes with messages of every kind. */
const contextField = 35
const lastWireType = 5

/** Whether nothing of a message was decoded. */
export function isEmpty(message: proto.IMessage): boolean {
  return Object.keys(message).every((name) => name === 'messageContextInfo')
}

/**
 * Returns whether a message has content of a kind that is newer than the library: it decodes to nothing, and its bytes
 * have a field.
 */
export function isOfUnknownKind(decoded: proto.IMessage, bytes: Uint8Array): boolean {
  if (!isEmpty(decoded)) return false
  const view = Buffer.from(bytes)
  for (let at = 0; at < view.length; ) {
    const [tag, afterTag] = readVarint(view, at)
    const [field, wireType] = [Math.floor(tag / 8), tag % 8]
    if (field !== contextField) return true
    at = skip(view, afterTag, wireType)
  }
  return false
}

function readVarint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0
  for (let at = from, factor = 1; at < bytes.length; at++, factor *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return [value, at + 1]
  }
  return [value, bytes.length]
}

/** Returns where the field after this one begins. */
function skip(bytes: Buffer, at: number, wireType: number): number {
  if (wireType === 0) return readVarint(bytes, at)[1]
  if (wireType === 1) return at + 8
  if (wireType === lastWireType) return at + 4
  const [length, from] = readVarint(bytes, at)
  return from + length
}
