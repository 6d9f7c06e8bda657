import {
  type BinaryNode,
  getBinaryNodeChild,
  isLidUser,
  jidDecode,
  jidNormalizedUser,
  proto,
  type WASocket,
} from 'baileys'
import { namespaceKind } from '../../../vault/key-kinds.ts'
import type { Vault } from '../../../vault/vault.ts'
import type { HiddenIds } from './hidden-ids.ts'

/** The two names of a person on the network: the hidden id and the number. */
type Namespace = 'lid' | 'phone'

/** The entry of the account itself, beside those of people. */
const accountEntry = 'account'

/** How many people reached by the hidden id instead of the number show that the account was moved after its link. */
const movedPeople = 3

/** How the network is addressed for one person. */
export interface WireAddress {
  readonly jid: string
  /** The number of the person, where the hidden id is used. */
  readonly attrs: Readonly<Record<string, string>>
}

/** What of a vault the addressing of a number needs. */
type AddressingVault = Pick<Vault, 'isFenced' | 'readValues' | 'stageValue'>

/**
 * Finds under which of their names the network is to be addressed for people. Accounts that were moved to hidden ids
 * are refused by the number, the others by the hidden id, and which one an account is cannot be asked for later. What
 * the network accepted for a person is remembered, and what it accepted for three people holds for all others.
 */
export class Addressing {
  readonly #socket: WASocket
  readonly #vault: AddressingVault
  /** People that were reached by the hidden id instead of the number on this connection. */
  readonly #moved = new Set<string>()
  readonly #hiddenIds: Pick<HiddenIds, 'find'>

  constructor(socket: WASocket, vault: AddressingVault, hiddenIds: Pick<HiddenIds, 'find'>) {
    this.#socket = socket
    this.#vault = vault
    this.#hiddenIds = hiddenIds
    socket.ws.on('CB:iq,,pair-success', (iq: BinaryNode) => this.#linked(iq))
  }

  /**
   * Returns the addresses of a person, first the one that the network should accept. A group, or a person with one name
   * that we know, has one. Throws what the library throws when the network cannot be asked.
   */
  async of(jid: string): Promise<readonly [WireAddress, ...WireAddress[]]> {
    const { lid, phone } = await this.#namesOf(jid)
    if (lid === null || phone === null) return [{ jid, attrs: {} }]
    const byLid: WireAddress = { jid: lid, attrs: { peer_recipient_pn: phone } }
    const byPhone: WireAddress = { jid: phone, attrs: {} }
    return (await this.#preferred(lid)) === 'lid' ? [byLid, byPhone] : [byPhone, byLid]
  }

  /** Remembers which address of a person the network accepted, unless another host has the number by now. */
  accepted({ jid }: WireAddress, others: readonly WireAddress[]): void {
    if (this.#vault.isFenced) return
    const lid = [jid, ...others.map((other) => other.jid)].find((one) => isLidUser(one))
    if (!lid) return
    this.#vault.stageValue(namespaceKind, lid, isLidUser(jid) ? 'lid' : 'phone')
    if (!isLidUser(jid)) return
    this.#moved.add(lid)
    if (this.#moved.size === movedPeople) this.#vault.stageValue(namespaceKind, accountEntry, 'lid')
  }

  async #namesOf(jid: string): Promise<{ readonly lid: string | null; readonly phone: string | null }> {
    if (isLidUser(jid)) {
      return { lid: jid, phone: normal(await this.#socket.signalRepository.lidMapping.getPNForLID(jid)) }
    }
    if (!jid.endsWith('@s.whatsapp.net')) return { lid: null, phone: null }
    const { lid } = await this.#hiddenIds.find(jidDecode(jid)?.user ?? '')
    return { lid, phone: jid }
  }

  async #preferred(lid: string): Promise<Namespace> {
    const known = await this.#vault.readValues(namespaceKind, [lid, accountEntry])
    return (known.get(lid) ?? known.get(accountEntry) ?? 'lid') as Namespace
  }

  /** The phone says at the link whether its chats were moved. Accounts that were linked before are taken as moved. */
  #linked(iq: BinaryNode): void {
    const { content } = getBinaryNodeChild(getBinaryNodeChild(iq, 'pair-success'), 'client-props') ?? {}
    if (!(content instanceof Uint8Array) || this.#vault.isFenced) return
    const { isChatDbLidMigrated } = proto.ClientPairingProps.decode(content)
    this.#vault.stageValue(namespaceKind, accountEntry, isChatDbLidMigrated ? 'lid' : 'phone')
  }
}

function normal(jid: string | null): string | null {
  return jid === null ? null : jidNormalizedUser(jid)
}
