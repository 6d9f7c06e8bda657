import { chatTimerKind } from '../vault/key-kinds.ts'
import type { Vault } from '../vault/vault.ts'
import { findDigits } from './lid-pairs.ts'

type TimerVault = Pick<Vault, 'readValues' | 'readAllValues' | 'stageValue'>

/**
 * After how many seconds the messages of chats disappear, where they do. The few that are set are read once, so that
 * a send needs no query.
 */
export class ChatTimers {
  readonly #vault: TimerVault
  /** What was noted since this was made; it overrides what is read. */
  readonly #noted = new Map<string, number>()
  #stored: Promise<Map<string, unknown>> | null = null

  constructor(vault: TimerVault) {
    this.#vault = vault
  }

  /**
   * Stages the timer of a chat, by the addresses of the person, when it has changed. 0: messages stay. It waits for no
   * commit, because the commit may wait for the message that brings the timer.
   */
  async note(addresses: readonly string[], seconds: number): Promise<void> {
    const chat = await this.#chatOf(addresses)
    if (chat === null) return
    const before = (await this.#vault.readValues(chatTimerKind, [chat])).get(chat) ?? 0
    if (before === seconds) return
    this.#noted.set(chat, seconds)
    this.#vault.stageValue(chatTimerKind, chat, seconds === 0 ? null : seconds)
  }

  /** Returns the timer of the chat with a person in seconds; 0 for none. */
  async find(address: string): Promise<number> {
    const stored = await this.#read()
    if (stored.size === 0 && this.#noted.size === 0) return 0
    const chat = (await this.#chatOf([address])) ?? ''
    const seconds = this.#noted.get(chat) ?? stored.get(chat)
    return typeof seconds === 'number' ? seconds : 0
  }

  /** Returns the address under which a chat is kept: the number, where it is known. */
  async #chatOf(addresses: readonly string[]): Promise<string | null> {
    const digits = await findDigits(this.#vault, addresses)
    const [first = null] = addresses
    return addresses.find((jid) => jid.endsWith('@s.whatsapp.net')) ?? [...digits.values()][0] ?? first
  }

  #read(): Promise<Map<string, unknown>> {
    this.#stored ??= this.#vault.readAllValues(chatTimerKind).catch((error: unknown) => {
      this.#stored = null
      throw error
    })
    return this.#stored
  }
}
