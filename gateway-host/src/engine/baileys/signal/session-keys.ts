import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from 'baileys'
import { candidatesFor, isUsed, joinSessions, readHeader, type StoredSessions } from './stored-sessions.ts'

/**
 * The message of the library for a message that comes again. It acknowledges it then, and does not request it once
 * more.
 */
const usedMessage = 'Key used already or never filled'

/** A session that is the only one that the library sees. */
interface Shown {
  readonly address: string
  readonly baseKey: string
}

/**
 * The keys under the Signal library, with what it does not do by itself. It tries a message on all sessions with a
 * device, changes those that do not fit, and stores them: then neither side can read the other any more. So it sees one
 * session at a time here. Its callers run one after the other.
 */
export class SessionKeys {
  readonly #keys: SignalKeyStore
  #shown: Shown | null = null

  constructor(keys: SignalKeyStore) {
    this.#keys = keys
  }

  readonly get = async <Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) => {
    const found = await this.#keys.get(type, ids)
    const shown = this.#shown
    if (type !== 'session' || !shown || !found[shown.address]) return found
    return { ...found, [shown.address]: onlyOne(toStored(found[shown.address]), shown.baseKey) } as typeof found
  }

  readonly set = async (data: SignalDataSet): Promise<void> => {
    const { address = '' } = this.#shown ?? {}
    const changed = data.session?.[address]
    if (!changed) return this.#keys.set(data)
    const all = await this.#find(address)
    const joined = { ...toStored(changed), _sessions: { ...all?._sessions, ...toStored(changed)._sessions } }
    return this.#keys.set({ ...data, session: { ...data.session, [address]: joined as unknown as Uint8Array } })
  }

  /** Decrypts a message of an established session with the session to which it belongs. */
  async decrypt(address: string, ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const stored = await this.#find(address)
    if (!stored) return decrypt()
    const header = readHeader(ciphertext)
    if (header && isUsed(stored, header)) throw new Error(usedMessage)
    let failure: unknown = new Error('there is no session')
    for (const baseKey of candidatesFor(stored, header)) {
      this.#shown = { address, baseKey }
      try {
        return await decrypt()
      } catch (error) {
        failure = error
      } finally {
        this.#shown = null
      }
    }
    throw failure
  }

  /** Moves the sessions with a device from one of its addresses to the other, and keeps those that are there. */
  async move(from: string, to: string): Promise<void> {
    const moved = await this.#find(from)
    if (!moved) return
    const present = await this.#find(to)
    const joined = present ? joinSessions(present, moved) : moved
    await this.#keys.set({ session: { [to]: joined as unknown as Uint8Array, [from]: null } })
  }

  async #find(address: string): Promise<StoredSessions | null> {
    const { [address]: found } = await this.#keys.get('session', [address])
    return found ? toStored(found) : null
  }
}

/** The library names the type of stored sessions wrongly. */
function toStored(value: unknown): StoredSessions {
  return value as StoredSessions
}

function onlyOne(stored: StoredSessions, baseKey: string): StoredSessions {
  const { [baseKey]: session } = stored._sessions
  return { ...stored, _sessions: session ? { [baseKey]: session } : {} }
}
