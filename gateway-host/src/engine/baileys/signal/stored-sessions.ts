/**
 * The part of a chain from which follows which messages it has decrypted. Keys of messages that came too early are in
 * `messageKeys`.
 */
interface StoredChain {
  readonly chainKey: { readonly counter: number }
  readonly messageKeys: Readonly<Record<string, unknown>>
}

/** A session as the Signal library stores it. */
interface StoredSession {
  /** `closed` is -1 for the one in use. */
  readonly indexInfo: { readonly closed: number; readonly used: number }
  /** By the ephemeral key of the other side, in base64. */
  readonly _chains: Readonly<Record<string, StoredChain>>
}

/** All sessions with one device, by their base keys. */
export interface StoredSessions {
  readonly _sessions: Readonly<Record<string, StoredSession>>
}

/** Which message of which chain a message is. */
interface MessageHeader {
  readonly ephemeralKey: string
  readonly counter: number
}

const [macBytes, keyTag, counterTag] = [8, 0x0a, 0x10]

/**
 * Reads the header of a message of an established session: a version, a Protocol Buffer and a code. Null for another
 * form.
 */
export function readHeader(message: Uint8Array): MessageHeader | null {
  const body = Buffer.from(message).subarray(1, -macBytes)
  const keyLength = body[1] ?? 0
  const counterAt = 2 + keyLength
  if (body[0] !== keyTag || body[counterAt] !== counterTag) return null
  let counter = 0
  for (let at = counterAt + 1, shift = 0; at < body.length; at++, shift += 7) {
    const byte = body[at] ?? 0
    counter += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { ephemeralKey: body.subarray(2, counterAt).toString('base64'), counter }
  }
  return null
}

/** Whether a message was decrypted before, by the chain to which it belongs. */
export function isUsed({ _sessions }: StoredSessions, { ephemeralKey, counter }: MessageHeader): boolean {
  return Object.values(_sessions).some(({ _chains }) => {
    const chain = _chains[ephemeralKey]
    return chain !== undefined && counter <= chain.chainKey.counter && !Object.hasOwn(chain.messageKeys, counter)
  })
}

/** Returns the base keys of the sessions that can have encrypted a message, the likeliest one first. */
export function candidatesFor({ _sessions }: StoredSessions, header: MessageHeader | null): string[] {
  const all = Object.entries(_sessions)
  const own = all.filter(([, { _chains }]) => header !== null && Object.hasOwn(_chains, header.ephemeralKey))
  const rank = ({ indexInfo }: StoredSession) => (indexInfo.closed === -1 ? Number.POSITIVE_INFINITY : indexInfo.used)
  const sorted = (own.length > 0 ? own : all).sort(([, a], [, b]) => (rank(a) < rank(b) ? 1 : -1))
  return sorted.map(([baseKey]) => baseKey)
}

/** Adds sessions to those that are there. The one in use stays in use: the other side may write in any of them. */
export function joinSessions(present: StoredSessions, added: StoredSessions): StoredSessions {
  const closed = Object.entries(added._sessions).map(([baseKey, session]) => {
    const indexInfo = { ...session.indexInfo, closed: Math.max(session.indexInfo.closed, 0) }
    return [baseKey, { ...session, indexInfo }] as const
  })
  return { ...present, _sessions: { ...Object.fromEntries(closed), ...present._sessions } }
}
