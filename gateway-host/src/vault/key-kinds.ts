import { BufferJSON, proto, type SignalDataTypeMap } from 'baileys'

/** The kinds of keys, as small numbers in the table. Never renumber, and never use a number again. */
const kinds: Readonly<Record<keyof SignalDataTypeMap, number>> = {
  session: 0,
  'pre-key': 1,
  'sender-key': 2,
  'sender-key-memory': 3,
  'app-state-sync-key': 4,
  'app-state-sync-version': 5,
  'lid-mapping': 6,
  'device-list': 7,
  tctoken: 8,
  'identity-key': 9,
}

/**
 * Our own kinds, beside those of the library: the devices of people as it caches them, names of people, by which name
 * the network wants them addressed, the secrets of messages, which people change them with, and when the messages of
 * chats disappear.
 */
export const deviceCacheKind = 10
export const contactKind = 11
export const namespaceKind = 12
export const messageSecretKind = 13
export const chatTimerKind = 14

const rarelyRead: ReadonlySet<number> = new Set([kinds['pre-key'], messageSecretKind])

/** Whether the values of a kind are many, and each is read once or never: they are not kept in memory. */
export function isRarelyRead(kind: number): boolean {
  return rarelyRead.has(kind)
}

const ofPeople: ReadonlySet<number> = new Set([kinds['lid-mapping'], kinds.tctoken, contactKind])

/** Whether a kind says something about people, of whom a phone shares all at once, and of whom few are written to. */
export function isOfPeople(kind: number): boolean {
  return ofPeople.has(kind)
}

/** Returns the number of a kind. Throws an Error for a kind that the list does not have: its keys would be lost. */
export function kindNumber(type: string): number {
  const number = Object.hasOwn(kinds, type) ? kinds[type as keyof SignalDataTypeMap] : undefined
  if (number === undefined) throw new Error(`unknown kind of key: ${type}`)
  return number
}

/** Returns a value as it is stored. */
export function pack(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, BufferJSON.replacer))
}

/** Returns a stored value, of the class that the library expects for this kind. */
export function unpack(kind: number, bytes: Buffer): unknown {
  const value: unknown = JSON.parse(bytes.toString(), BufferJSON.reviver)
  if (kind !== kinds['app-state-sync-key']) return value
  return proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>)
}
