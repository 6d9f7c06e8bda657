import {
  type BinaryNode,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  generateRegistrationId,
  parseAndInjectE2ESessions,
  proto,
  type SignalAuthState,
  signedKeyPair,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from 'baileys'
import { SessionKeys } from '../../../src/engine/baileys/signal/session-keys.ts'
import { silentLogger } from '../../../src/engine/baileys/silent-logger.ts'
import { node } from '../frames/nodes.ts'
import { memoryKeys } from './memory-keys.ts'

/** What another device needs to start a session with a phone. */
export interface KeyBundle {
  readonly registration: Uint8Array
  readonly identity: Uint8Array
  readonly signedPreKey: BinaryNode
  readonly preKey: BinaryNode
}

/** One encrypted message. */
export interface Encrypted {
  readonly type: 'pkmsg' | 'msg'
  readonly ciphertext: Uint8Array
}

/** The primary device of an account. It has Signal sessions of its own: it reads what it is sent, and writes. */
export class Phone {
  readonly identity = Curve.generateKeyPair()
  readonly #creds = {
    signedIdentityKey: this.identity,
    signedPreKey: signedKeyPair(this.identity, 1),
    registrationId: generateRegistrationId(),
  }
  readonly #keys = memoryKeys()
  /** Phones do not have the fault of the library that this works around. */
  readonly #sessions = new SessionKeys(this.#keys)
  readonly #signal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    {
      creds: this.#creds,
      keys: { ...this.#keys, get: this.#sessions.get, set: this.#sessions.set },
    } as unknown as SignalAuthState,
    silentLogger,
    async () => undefined,
  )
  #nextPreKey = 1
  #last: Promise<unknown> = Promise.resolve()

  /** Returns the keys for a new session, with a pre-key that is used once. */
  async makeBundle(): Promise<KeyBundle> {
    const id = this.#nextPreKey++
    const pair = Curve.generateKeyPair()
    await this.#keys.set({ 'pre-key': { [id]: pair } })
    return {
      registration: encodeBigEndian(this.#creds.registrationId),
      identity: this.identity.public,
      signedPreKey: xmppSignedPreKey(this.#creds.signedPreKey),
      preKey: xmppPreKey(pair, id),
    }
  }

  /** Decrypts one message. Throws the errors of Signal. */
  read(from: string, { type, ciphertext }: Encrypted): Promise<proto.Message> {
    return this.#afterOthers(async () => {
      const decrypt = () => this.#signal.decryptMessage({ jid: from, type, ciphertext })
      const address = this.#signal.jidToSignalProtocolAddress(from)
      const plain = await (type === 'msg' ? this.#sessions.decrypt(address, ciphertext, decrypt) : decrypt())
      return proto.Message.decode(unpadRandomMax16(plain))
    })
  }

  /**
   * Encrypts for one device. `findBundle` gives the keys of the device when there is no session yet; with `renewed`, a
   * new session starts from these keys.
   */
  write(
    to: string,
    message: proto.IMessage,
    keys: { findBundle: () => BinaryNode | Promise<BinaryNode>; renewed?: BinaryNode | null },
  ): Promise<Encrypted> {
    return this.#afterOthers(async () => {
      if (keys.renewed) await this.#signal.deleteSession([to])
      if (keys.renewed || !(await this.#signal.validateSession(to)).exists) {
        const list = node('list', {}, [keys.renewed ?? (await keys.findBundle())])
        await parseAndInjectE2ESessions(node('iq', {}, [list]), this.#signal)
      }
      return this.#signal.encryptMessage({ jid: to, data: encodeWAMessage(proto.Message.fromObject(message)) })
    })
  }

  /** Runs work on the sessions one after the other. */
  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => undefined)
    return result
  }
}
