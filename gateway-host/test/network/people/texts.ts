import type { proto } from 'baileys'

/** Fields of a message with words of a person. The others hold keys, types and addresses. */
const worded = new Set([
  'address',
  'caption',
  'conversation',
  'description',
  'displayName',
  'fileName',
  'name',
  'optionName',
  'selectedDisplayText',
  'text',
  'title',
  'vcard',
])

/** Returns all words in a message. */
export function textsIn(message: proto.IMessage): string[] {
  return Object.entries(message).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return worded.has(name) && value !== '' ? [value] : []
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
    return Array.isArray(value) ? value.flatMap((one) => inItem(one)) : textsIn(value as proto.IMessage)
  })
}

function inItem(item: unknown): string[] {
  return typeof item === 'object' && item !== null ? textsIn(item as proto.IMessage) : []
}
