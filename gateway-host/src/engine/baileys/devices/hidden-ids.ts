import type { CheckResult } from '@msgctl/network/gateway'
import { jidDecode, jidNormalizedUser, type WASocket } from 'baileys'

/** How many pairs are remembered that the network confirmed although the hidden id is stored for another number. */
const mostConfirmed = 1000

type Check = (digits: readonly string[], timeoutMs?: number) => Promise<ReadonlyMap<string, CheckResult>>

/** What of a socket the hidden ids of people need. */
type HiddenIdSocket = {
  readonly authState: { readonly keys: Pick<WASocket['authState']['keys'], 'get'> }
  readonly signalRepository: {
    readonly lidMapping: Pick<WASocket['signalRepository']['lidMapping'], 'storeLIDPNMappings'>
  }
}

/**
 * The hidden ids of numbers. A person who moves to another number keeps the hidden id, and the number that they left
 * may be another person's. So a stored pair counts while its hidden id is stored for no other number, or the network
 * has confirmed it on this connection, as it does for the two forms that a number has in some countries.
 */
export class HiddenIds {
  readonly #socket: HiddenIdSocket
  readonly #check: Check
  readonly #confirmed = new Set<string>()

  /** `check` queries which numbers are on the network; its errors pass. */
  constructor(socket: HiddenIdSocket, check: Check) {
    this.#socket = socket
    this.#check = check
  }

  /** Queries which numbers are on the network, and stores their hidden ids. */
  async check(digits: readonly string[], timeoutMs?: number): Promise<ReadonlyMap<string, CheckResult>> {
    const results = await this.#check(digits, timeoutMs)
    const pairs = [...results].flatMap(([asked, { lid, address }]) => {
      if (!lid) return []
      // The number as the network names it comes last: the hidden id is then stored for that one.
      const names = new Set([asked, address?.kind === 'phone' ? address.digits : asked])
      return [...names].map((user) => ({ lid, pn: `${user}@s.whatsapp.net` }))
    })
    if (pairs.length > 0) await this.#socket.signalRepository.lidMapping.storeLIDPNMappings(pairs)
    return results
  }

  /**
   * Returns whether a number is on the network, and its hidden id; null where the network names none. It queries only
   * what is not stored, or not sure any more. Only a clear no is one.
   */
  async find(digits: string, timeoutMs?: number): Promise<{ readonly exists: boolean; readonly lid: string | null }> {
    const stored = await this.#stored(digits)
    if (stored?.isSure) return { exists: true, lid: `${stored.user}@lid` }
    const found = (await this.check([digits], timeoutMs)).get(digits)
    const lid = found?.lid === undefined ? null : jidNormalizedUser(found.lid)
    if (lid !== null) await this.#confirm(digits, lid)
    return { exists: found?.exists ?? true, lid }
  }

  async #stored(digits: string): Promise<{ readonly user: string; readonly isSure: boolean } | null> {
    const { [digits]: user } = await this.#socket.authState.keys.get('lid-mapping', [digits])
    if (!user) return null
    const owner = await this.#ownerOf(user)
    return { user, isSure: owner === digits || this.#confirmed.has(`${digits} ${user} ${owner}`) }
  }

  /** Returns the number that a hidden id is stored for. The library's lookup may repeat the number it was read by. */
  async #ownerOf(user: string): Promise<string | undefined> {
    const name = `${user}_reverse`
    return (await this.#socket.authState.keys.get('lid-mapping', [name]))[name]
  }

  async #confirm(digits: string, lid: string): Promise<void> {
    const user = jidDecode(lid)?.user ?? ''
    if (this.#confirmed.size >= mostConfirmed) this.#confirmed.clear()
    this.#confirmed.add(`${digits} ${user} ${await this.#ownerOf(user)}`)
  }
}
