import { proto } from 'baileys'

type Value = proto.SyncActionValue
type Source = Parameters<typeof proto.SyncActionValue.decode>[0]
type Reader = Exclude<Source, Uint8Array>

/** The field of the salt in a value of application state, and how it is called in releases of the library to come. */
const [saltField, saltName] = [80, 'nctSaltSyncAction']

/** The application state that has the salt, as the library lists it. */
export const saltIndex = 'nct_salt_sync'

/**
 * Lets the library keep the salt that the network gives an account for its first messages to people. The library of
 * this release drops the field when it reads application state; each later one reads it.
 */
export function keepSalts(): void {
  const { decode } = proto.SyncActionValue
  if (Reflect.has(decode, 'keepsSalts')) return
  const keeping = (source: Source, length?: number): Value => {
    const salt = source instanceof Uint8Array ? null : findSalt(source, length ?? source.len - source.pos)
    const value = decode(source, length)
    if (salt && !saltOf(value)) Object.assign(value, { [saltName]: { salt } })
    return value
  }
  proto.SyncActionValue.decode = Object.assign(keeping, { keepsSalts: true })
}

/** Returns the salt in a value of application state; null without one. */
export function saltOf(value: unknown): Uint8Array | null {
  const { salt } = (value as { [saltName]?: { salt?: unknown } } | null)?.[saltName] ?? {}
  return salt instanceof Uint8Array && salt.length > 0 ? salt : null
}

/** Reads ahead, on a copy of the reader. Null for a value without the salt. */
function findSalt(reader: Reader, length: number): Uint8Array | null {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(reader)) as Reader, reader)
  const end = copy.pos + length
  while (copy.pos < end) {
    const tag = copy.uint32()
    if (tag >>> 3 !== saltField) copy.skipType(tag & 7)
    else {
      // A message with one field of bytes.
      if (copy.uint32() === 0) return null
      copy.uint32()
      return copy.bytes()
    }
  }
  return null
}
