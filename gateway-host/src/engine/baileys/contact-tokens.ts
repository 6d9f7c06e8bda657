import { createHmac } from 'node:crypto'
import { type AuthenticationCreds, type BinaryNode, isLidUser, isPnUser } from 'baileys'
import type { ILogger } from 'baileys/lib/Utils/logger.js'
import { isTcTokenExpired, shouldSendNewTcToken } from 'baileys/lib/Utils/tc-token-utils.js'
import type { Vault } from '../../vault/vault.ts'
import { saltIndex, saltOf } from './contact-salt.ts'
import { stanza } from './stanzas.ts'

/** The library says so of each part of application state that it does not know, with the part. */
const unknownPart = 'unprocessable update'

interface SaltedCreds extends AuthenticationCreds {
  /** With what the tokens of this account are computed. */
  contactSalt?: Uint8Array
}

/** What of a vault the tokens need. */
type TokenVault = Pick<Vault, 'creds' | 'isFenced' | 'keys' | 'stageCreds'>

/**
 * The tokens that messages to people carry beside what is encrypted. People give one to those who know them, which the
 * library stores and sends. A message to anybody else carries one that is computed with a salt of the account, which
 * the phone shares in its application state; without either, the network may refuse it with 463.
 */
export class ContactTokens {
  readonly #vault: TokenVault
  readonly #nowMs: () => number

  constructor(vault: TokenVault, nowMs: () => number) {
    this.#vault = vault
    this.#nowMs = nowMs
  }

  /** Returns a logger that also takes the salt out of what the library writes about application state. */
  watching(logger: ILogger): ILogger {
    return {
      ...logger,
      debug: (line: unknown, text?: string) => {
        if (text === unknownPart) this.#noteSalt(line as { syncAction?: unknown })
        else logger.debug(line, text)
      },
    }
  }

  /** Returns the token for a person by the hidden id; none where the library sends one, or without a salt. */
  async of(lid: string): Promise<BinaryNode[]> {
    const { contactSalt } = this.#vault.creds as SaltedCreds
    if (!contactSalt) return []
    const given = (await this.#vault.keys.get('tctoken', [lid]))[lid]
    if (given?.token.length && !isTcTokenExpired(given.timestamp)) return []
    return [stanza('cstoken', {}, createHmac('sha256', contactSalt).update(lid).digest())]
  }

  /**
   * Notes that the account has given a person its token, which the library does after a message and once a week. The
   * library writes its own note in a transaction that has ended, and loses it: it would give the token again after each
   * message. Without effect for a group.
   */
  async noteGiven(jid: string): Promise<void> {
    if (!isLidUser(jid) && !isPnUser(jid)) return
    const { [jid]: known } = await this.#vault.keys.get('tctoken', [jid])
    if (this.#vault.isFenced || !shouldSendNewTcToken(known?.senderTimestamp)) return
    const senderTimestamp = Math.floor(this.#nowMs() / 1000)
    await this.#vault.keys.set({ tctoken: { [jid]: { token: Buffer.alloc(0), ...known, senderTimestamp } } })
  }

  #noteSalt({ syncAction }: { readonly syncAction?: unknown }): void {
    const { index, syncAction: action } = (syncAction ?? {}) as { index?: string[]; syncAction?: { value?: unknown } }
    if (index?.[0] !== saltIndex || this.#vault.isFenced) return
    const salt = saltOf(action?.value)
    // A part without a salt takes it back.
    if (salt) Object.assign(this.#vault.creds, { contactSalt: Buffer.from(salt) })
    else Reflect.deleteProperty(this.#vault.creds, 'contactSalt')
    this.#vault.stageCreds()
  }
}
