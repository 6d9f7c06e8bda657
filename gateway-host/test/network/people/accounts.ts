import { parseLid, toLid } from '@msgctl/server/networks/simulator/people/lid'
import { type BinaryNode, jidDecode, jidEncode, type proto } from 'baileys'
import type { Wire } from '../frames/wire.ts'
import type { Companion } from './companions.ts'
import { behaviorOf, type PersonBehavior } from './people.ts'
import { Phone } from './phone.ts'

/** A companion device that an account has linked. */
export interface Device {
  readonly id: number
  readonly account: Account
  connection: Connection | null
  keys: DeviceKeys | null
  /** What was delivered and not acknowledged; it is delivered again at the next login. */
  readonly pending: Map<string, BinaryNode>
  /** Whether the phone still has to share its history and keys. */
  isNew: boolean
  /** How many messages in a row left out devices, by their recipient. */
  readonly leftOut: Map<string, number>
}

/** The keys that a device has uploaded. */
interface DeviceKeys {
  readonly registration: Uint8Array
  readonly identity: Uint8Array
  readonly signedPreKey: BinaryNode
  readonly preKeys: BinaryNode[]
}

/** A device that is not linked yet. */
interface Pairing {
  readonly refs: readonly string[]
  /** The secret that the first scan retired, and the reference of the QR then. */
  retired: { readonly secret: string; readonly ref: string } | null
  /** The reference of the QR whose scan led to the demand for a passkey. */
  passkeyRef: string | null
}

/** A connection, with what is known of the other side. */
export interface Connection extends Wire {
  device: Device | null
  /** What the device sent when it asked to be linked. */
  pairing: Pairing | null
  /** The last part of the version that the client names. */
  revision: number
  /** Another connection took its place; its stanzas count no more. */
  isReplaced: boolean
}

/** A message that a phone has received and shows. */
export interface ShownMessage {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly message: proto.IMessage
  readonly at: number
  /** Whether the sender was shown as typing before. */
  readonly typed: boolean
  /** Whether the phone could read it only after it requested it again. */
  readonly retried: boolean
  /** How often it arrived; the phone shows it once. */
  copies: number
  edited: string | null
  revoked: boolean
}

/** One person of the network: the phone and the devices linked to it. */
export interface Account {
  readonly digits: string
  lid: string
  readonly behavior: PersonBehavior
  readonly phone: Phone
  readonly devices: Map<number, Device>
  /** Devices that this person has linked, which react to nothing. */
  readonly companions: Map<number, Companion>
  nextDevice: number
  online: boolean
  /** Messages that arrived while the phone was offline. */
  readonly waiting: (() => void)[]
  /** What this phone wrote, for devices that request it again: `device jid/message id`. */
  readonly written: Map<string, WrittenMessage>
  /** What this phone shows: `sender digits/message id`. */
  readonly shown: Map<string, ShownMessage>
  name: string
  about: string
  picture: Buffer | null
  /** The failure with which logins of its devices end. */
  refusal: Record<string, string> | null
  /** Whether it is linked by a passkey only. */
  needsPasskey: boolean
  /** Whether its chats were moved to hidden ids, as those of most accounts. */
  isMigrated: boolean
  /** People whose two names the network has shown it. */
  readonly paired: Set<Account>
  /** Whether the network takes no messages of this account any more. */
  isRestricted: boolean
  /** What a new device is given. */
  history: proto.IConversation[]
  stateKey: proto.Message.IAppStateSyncKey | null
  /** With what the tokens of its messages are computed; null: the network demands none. */
  salt: Buffer | null
  /** How often it has given each person its token, by their address. */
  readonly tokensGiven: Map<string, number>
  timelock: Record<string, unknown> | null
  capping: Record<string, unknown> | null
  /** Read and played ticks that this person saw. */
  readonly ticks: { readonly ids: readonly string[]; readonly type: string; readonly by: string }[]
  /** What its devices showed of themselves, in order. */
  readonly presence: string[]
  typing: { readonly by: string; readonly state: string }[]
}

/** A message that a phone wrote to one device. */
interface WrittenMessage {
  readonly message: proto.IMessage
  readonly attrs: Record<string, string>
}

/** Returns the hidden id of a person, as stanzas name it: the simulator's. */
function lidOf(digits: string): string {
  return toLid(digits).replace('@lid', '')
}

/** Everybody on the network. An account exists as soon as its digits are used. */
export class Accounts {
  readonly #byDigits = new Map<string, Account>()
  readonly #byLid = new Map<string, Account>()

  /** Returns the account with these digits; undefined for digits that are not on the network. */
  find(digits: string): Account | undefined {
    const known = this.#byDigits.get(digits)
    if (known) return known
    const behavior = behaviorOf(digits)
    return behavior.onNetwork ? this.#add(digits, lidOf(digits), behavior) : undefined
  }

  /** Returns the account with these digits. Throws an Error for digits that are not on the network. */
  get(digits: string): Account {
    const account = this.find(digits)
    if (!account) throw new Error(`${digits} is not on the network`)
    return account
  }

  /** Returns a person whose digits are shown to no device. */
  getHidden(lid: string): Account {
    return this.#byLid.get(lid) ?? this.#add(lid, lid, { ...behaviorOf(lid), isHidden: true })
  }

  /** Returns the account and the device that an address names. */
  at(jid: string): { account: Account | undefined; device: number } {
    const { user = '', server, device = 0 } = jidDecode(jid) ?? {}
    return { account: server === 'lid' ? this.#findHidden(user) : this.find(user), device }
  }

  #findHidden(lid: string): Account | undefined {
    return this.#byLid.get(lid) ?? this.find(parseLid(lid) ?? '')
  }

  #add(digits: string, lid: string, behavior: PersonBehavior): Account {
    const account: Account = {
      digits,
      lid,
      behavior,
      phone: new Phone(),
      devices: new Map(),
      companions: new Map(),
      nextDevice: 1,
      online: behavior.startsOnline,
      waiting: [],
      written: new Map(),
      shown: new Map(),
      name: `Sim ${digits.slice(-4)}`,
      about: '',
      picture: null,
      refusal: null,
      needsPasskey: false,
      paired: new Set(),
      isMigrated: true,
      isRestricted: false,
      history: [],
      stateKey: null,
      salt: null,
      tokensGiven: new Map(),
      timelock: null,
      capping: null,
      ticks: [],
      presence: [],
      typing: [],
    }
    this.#byDigits.set(digits, account)
    this.#byLid.set(lid, account)
    return account
  }
}

/** Returns the address of an account by its digits, or of one of its devices. */
export function phoneJid({ digits }: Account, device = 0): string {
  return jidEncode(digits, 's.whatsapp.net', device || undefined)
}

/** Returns the address of an account by its hidden id. */
export function lidJid({ lid }: Account, device = 0): string {
  return jidEncode(lid, 'lid', device || undefined)
}

/** How a stanza names a person: by digits or by the hidden id. */
export type Addressing = 'phone' | 'lid'

/** Returns the attributes that name a sender, with the other address beside the one that is used. */
export function sender(account: Account, device: number, addressing: Addressing): Record<string, string> {
  if (account.behavior.isHidden) return { from: lidJid(account, device) }
  if (addressing === 'lid') return { from: lidJid(account, device), sender_pn: phoneJid(account) }
  return { from: phoneJid(account, device), sender_lid: lidJid(account, device) }
}
