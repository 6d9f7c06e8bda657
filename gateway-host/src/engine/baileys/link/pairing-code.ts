import { randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesEncryptCTR,
  aesEncryptGCM,
  type BinaryNode,
  bytesToCrockford,
  Curve,
  derivePairingCodeKey,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  hkdf,
  type WASocket,
} from 'baileys'
import type { Vault } from '../../../vault/vault.ts'
import { NoResponse, Refused } from '../../failures.ts'
import { withFailures } from '../queries.ts'
import { stanza } from '../stanzas.ts'

/** The tag of every message about a link by a code. */
export const linkCodeTag = 'link_code_companion_reg'

/** How long the network accepts a code, in milliseconds. */
const lifeMs = 180_000

/** How long the phone may take to complete the link after its owner typed the code, in milliseconds. */
const finishMs = 60_000

/** How the device is listed on the phone. The network refuses names that it does not know. */
const [displayName, chrome] = ['Chrome (Linux)', '1']

/** A code that the owner may type now. */
interface Pending {
  readonly code: string
  readonly jid: string
  readonly ref: Buffer
  readonly untilMs: number
}

/**
 * Links a number by a code of eight characters that its owner types. The library's own form of it names the account
 * before the link and hides what the network refuses.
 */
export class PairingCode {
  readonly #socket: WASocket
  readonly #vault: Pick<Vault, 'creds' | 'stageCreds'>
  readonly #nowMs: () => number
  #pending: Pending | null = null
  #finishUntilMs = 0

  constructor(socket: WASocket, vault: Pick<Vault, 'creds' | 'stageCreds'>, nowMs: () => number) {
    this.#socket = socket
    this.#vault = vault
    this.#nowMs = nowMs
  }

  /** For how many milliseconds a code can still be typed, or its link be completed; 0 without one. */
  get neededMs(): number {
    return Math.max(0, Math.max(this.#pending?.untilMs ?? 0, this.#finishUntilMs) - this.#nowMs())
  }

  /** Requests a code for a number. Throws {@link Refused}, {@link NoResponse} or ConnectionLost. */
  async request(digits: string): Promise<string> {
    const { pairingEphemeralKeyPair, noiseKey } = this.#vault.creds
    const code = bytesToCrockford(randomBytes(5))
    const [salt, iv, jid] = [randomBytes(32), randomBytes(16), `${digits}@s.whatsapp.net`]
    const wrapped = aesEncryptCTR(pairingEphemeralKeyPair.public, await derivePairingCodeKey(code, salt), iv)
    const response = await this.#ask({ jid, stage: 'companion_hello', should_show_push_notification: 'true' }, [
      stanza('link_code_pairing_wrapped_companion_ephemeral_pub', {}, Buffer.concat([salt, iv, wrapped])),
      stanza('companion_server_auth_key_pub', {}, noiseKey.public),
      stanza('companion_platform_id', {}, chrome),
      stanza('companion_platform_display', {}, displayName),
      stanza('link_code_pairing_nonce', {}, Buffer.alloc(1)),
    ])
    const ref = bytesIn(getBinaryNodeChild(response, linkCodeTag), 'link_code_pairing_ref')
    this.#pending = { code, jid, ref, untilMs: this.#nowMs() + lifeMs }
    return code
  }

  /** Handles what the network says about the code: the owner has typed it, or it is not valid any more. */
  async handle(notification: BinaryNode): Promise<void> {
    const message = getBinaryNodeChild(notification, linkCodeTag)
    const pending = this.#pending
    if (!pending || !bytesIn(message, 'link_code_pairing_ref').equals(pending.ref)) return
    if (message?.attrs.stage === 'refresh_code') this.#pending = null
    if (message?.attrs.stage === 'primary_hello') await this.#finish(pending, message)
  }

  /** Agrees with the phone on the secret of the link. */
  async #finish({ code, jid, ref }: Pending, hello: BinaryNode): Promise<void> {
    const { creds } = this.#vault
    const own = creds.signedIdentityKey
    const theirIdentity = bytesIn(hello, 'primary_identity_pub')
    const wrapped = bytesIn(hello, 'link_code_pairing_wrapped_primary_ephemeral_pub')
    const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
    const theirEphemeral = aesDecryptCTR(wrapped.subarray(48, 80), key, wrapped.subarray(32, 48))
    const shared = Curve.sharedKey(creds.pairingEphemeralKeyPair.private, theirEphemeral)
    const [random, salt, iv] = [randomBytes(32), randomBytes(32), randomBytes(12)]
    const info = 'link_code_pairing_key_bundle_encryption_key'
    const bundle = Buffer.concat([own.public, theirIdentity, random])
    const sealed = aesEncryptGCM(bundle, hkdf(shared, 32, { salt, info }), iv, Buffer.alloc(0))
    const agreed = Curve.sharedKey(own.private, theirIdentity)
    const secret = hkdf(Buffer.concat([shared, agreed, random]), 32, { info: 'adv_secret' })
    creds.advSecretKey = Buffer.from(secret).toString('base64')
    this.#vault.stageCreds()
    this.#pending = null
    this.#finishUntilMs = this.#nowMs() + finishMs
    await this.#ask({ jid, stage: 'companion_finish' }, [
      stanza('link_code_pairing_wrapped_key_bundle', {}, Buffer.concat([salt, iv, sealed])),
      stanza('companion_identity_public', {}, own.public),
      stanza('link_code_pairing_ref', {}, ref),
    ])
  }

  async #ask(attrs: Record<string, string>, content: BinaryNode[]): Promise<BinaryNode> {
    const id = this.#socket.generateMessageTag()
    const iq = stanza('iq', { to: 's.whatsapp.net', type: 'set', xmlns: 'md', id }, [
      stanza(linkCodeTag, attrs, content),
    ])
    const response = (await withFailures(this.#socket.query(iq))) as BinaryNode | undefined
    if (!response) throw new NoResponse()
    return response
  }
}

/** Returns the bytes of a part that must be there. Throws {@link Refused} without them. */
function bytesIn(parent: BinaryNode | undefined, tag: string): Buffer {
  const bytes = getBinaryNodeChildBuffer(parent, tag)
  if (!bytes) throw new Refused(400)
  return Buffer.from(bytes)
}
