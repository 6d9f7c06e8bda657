import { randomBytes } from 'node:crypto'
import { type BinaryNode, buildPairingQRData, getBinaryNodeChild, getBinaryNodeChildren, type WASocket } from 'baileys'
import type { Vault } from '../../../vault/vault.ts'
import type { ConnectionEvents } from '../../engine.ts'
import { LinkExpired, PasskeyDemanded } from '../../failures.ts'
import { stanza } from '../stanzas.ts'
import { linkCodeTag, PairingCode } from './pairing-code.ts'

/** How long the first QR of a connection is shown, and each of the others. */
const [firstQrMs, nextQrMs] = [60_000, 20_000]

/** What the network asks of a device that is to be linked by a passkey. */
const passkeyTypes = new Set(['passkey_prologue_request', 'crsc_continuation'])

type Browser = Parameters<typeof buildPairingQRData>[4]

/** What of a vault a link needs. */
export type LinkVault = Pick<Vault, 'creds' | 'isFenced' | 'stageCreds'>

/**
 * Links a device: shows QRs, follows the secret that the network renews while one is shown, and pairs by a code. It
 * takes this over from the library, whose QRs keep the first secret and end a code 20 s early. The connection ends with
 * {@link LinkExpired} or {@link PasskeyDemanded}.
 */
export class Linking {
  readonly code: PairingCode
  readonly #socket: WASocket
  readonly #vault: LinkVault
  readonly #events: Pick<ConnectionEvents, 'onQr'>
  readonly #browser: Browser
  readonly #nowMs: () => number
  readonly #refs: string[] = []
  #shown: { readonly ref: string; readonly expiresAt: Date } | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(
    socket: WASocket,
    vault: LinkVault,
    events: Pick<ConnectionEvents, 'onQr'>,
    options: { readonly browser: Browser; readonly nowMs: () => number },
  ) {
    this.#socket = socket
    this.#vault = vault
    this.#events = events
    this.#browser = options.browser
    this.#nowMs = options.nowMs
    this.code = new PairingCode(socket, vault, options.nowMs)
    socket.ws.removeAllListeners('CB:iq,type:set,pair-device')
    socket.ws.on('CB:iq,type:set,pair-device', (iq: BinaryNode) => this.#offered(iq))
    socket.ws.on('CB:iq,,pair-success', () => this.end())
    this.#takeNotifications()
  }

  /** The connection has ended, or the device is linked: no more QRs. */
  end(): void {
    clearTimeout(this.#timer)
    this.#shown = null
  }

  /** The library can acknowledge no notification before there is an account, and knows none of those for a link. */
  #takeNotifications(): void {
    const { ws } = this.#socket
    const others = ws.listeners('CB:notification') as ((notification: BinaryNode) => void)[]
    ws.removeAllListeners('CB:notification')
    ws.on('CB:notification', (notification: BinaryNode) => {
      if (this.#vault.creds.account) for (const handle of others) handle(notification)
      else void this.#notified(notification).catch(() => undefined)
    })
  }

  async #notified(notification: BinaryNode): Promise<void> {
    const { id = '', from = '', type = '' } = notification.attrs
    this.#send(stanza('ack', { id, to: from, class: 'notification', type }))
    if (type === 'companion_reg_refresh') this.#renewSecret()
    if (type === linkCodeTag) await this.code.handle(notification)
    if (passkeyTypes.has(type)) await this.#socket.end(new PasskeyDemanded())
  }

  /** The network offers references for QRs. */
  #offered(iq: BinaryNode): void {
    this.#send(stanza('iq', { to: 's.whatsapp.net', type: 'result', id: iq.attrs.id ?? '' }))
    const refs = getBinaryNodeChildren(getBinaryNodeChild(iq, 'pair-device'), 'ref')
    this.#refs.push(...refs.map(({ content }) => Buffer.from(content as Uint8Array).toString()))
    this.#showNext(firstQrMs)
  }

  #showNext(forMs: number): void {
    clearTimeout(this.#timer)
    const ref = this.#refs.shift()
    if (ref === undefined) {
      this.#ranOut()
      return
    }
    this.#shown = { ref, expiresAt: new Date(this.#nowMs() + forMs) }
    this.#show()
    this.#timer = setTimeout(() => this.#showNext(nextQrMs), forMs)
  }

  /** The QRs ran out. A code that was not typed yet, or whose link is under way, keeps the connection. */
  #ranOut(): void {
    this.#shown = null
    if (this.code.neededMs === 0) void this.#socket.end(new LinkExpired())
    else this.#timer = setTimeout(() => this.#ranOut(), this.code.neededMs)
  }

  /** The secret of what is shown is not valid any more. The present reference stays. */
  #renewSecret(): void {
    if (this.#vault.isFenced) return
    this.#vault.creds.advSecretKey = randomBytes(32).toString('base64')
    this.#vault.stageCreds()
    this.#show()
  }

  #show(): void {
    if (!this.#shown) return
    const { noiseKey, signedIdentityKey, advSecretKey } = this.#vault.creds
    const [noise, identity] = [noiseKey, signedIdentityKey].map((pair) => Buffer.from(pair.public).toString('base64'))
    const text = buildPairingQRData(this.#shown.ref, noise ?? '', identity ?? '', advSecretKey, this.#browser)
    this.#events.onQr({ text, expiresAt: this.#shown.expiresAt })
  }

  #send(node: BinaryNode): void {
    this.#socket.sendNode(node).catch(() => undefined)
  }
}
