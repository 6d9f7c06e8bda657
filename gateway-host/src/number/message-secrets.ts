import type { MessageSecret } from '../translate/edit.ts'
import { messageSecretKind } from '../vault/key-kinds.ts'
import type { Vault } from '../vault/vault.ts'

const keptMs = 24 * 3_600_000
const sweepEveryMs = 3_600_000

interface StoredSecret extends MessageSecret {
  readonly atMs: number
}

type SecretVault = Pick<Vault, 'stageValue' | 'readValues' | 'readAllValues'>

/** When the secrets of each number were last swept: connections come and go. */
const sweptMs = new WeakMap<object, number>()

/**
 * The secrets of the messages of the last day, in the vault of a number: phones encrypt a change of a message with the
 * secret that came with it. Phones let people change a message for a quarter of an hour.
 */
export class MessageSecrets {
  readonly #vault: SecretVault
  readonly #nowMs: () => number

  constructor(vault: SecretVault, nowMs: () => number = Date.now) {
    this.#vault = vault
    this.#nowMs = nowMs
  }

  /**
   * Stages the secret of a message, unless another author has one under the same id: clients choose the ids of their
   * messages. Every hour, older ones are deleted in the background.
   */
  async keep(networkId: string, { secret, authors }: MessageSecret): Promise<void> {
    const before = await this.find(networkId)
    if (before && !before.authors.some((author) => authors.includes(author))) return
    const nowMs = this.#nowMs()
    const stored: StoredSecret = { secret: Buffer.from(secret), authors, atMs: nowMs }
    this.#vault.stageValue(messageSecretKind, networkId, stored)
    if (nowMs - (sweptMs.get(this.#vault) ?? 0) < sweepEveryMs) return
    sweptMs.set(this.#vault, nowMs)
    // What a failure leaves is swept an hour later.
    void this.sweep().catch(() => undefined)
  }

  /** Returns the secret of a message; null for one that is older than a day, or unknown. */
  async find(networkId: string): Promise<MessageSecret | null> {
    const stored = (await this.#vault.readValues(messageSecretKind, [networkId])).get(networkId)
    return stored && this.#isKept(stored as StoredSecret) ? (stored as StoredSecret) : null
  }

  /** Deletes the secrets that are older than a day. */
  async sweep(): Promise<void> {
    for (const [networkId, stored] of await this.#vault.readAllValues(messageSecretKind)) {
      if (!this.#isKept(stored as StoredSecret)) this.#vault.stageValue(messageSecretKind, networkId, null)
    }
  }

  #isKept({ atMs }: StoredSecret): boolean {
    return this.#nowMs() - atMs < keptMs
  }
}
