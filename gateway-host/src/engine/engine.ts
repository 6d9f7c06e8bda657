import type { Readable } from 'node:stream'
import type { NetworkProbe } from '@msgctl/network/calls'
import type { FileHosts } from '@msgctl/network/files/hosts'
import type { CheckResult, GatewayEvent, Json, Profile, ProfileChange } from '@msgctl/network/gateway'
import type { proto } from 'baileys'
import type { Dispatcher } from 'undici'
import type { LeaseClock } from '../leases/lease-clock.ts'
import type { TraceFolder } from '../trace/trace-folder.ts'
import type { NetworkEvent } from '../translate/network-event.ts'
import type { Vault } from '../vault/vault.ts'

/** What the network allows an account. */
export type AccountLimits = Extract<GatewayEvent, { kind: 'account.limits' }>['limits']

/** Why a connection ended. */
export interface Closing {
  /** The code of the network; null when the network gave none. */
  readonly code: number | null
  /** Why the network restricts the account, as its code; null when it does not, or does not say. */
  readonly cause: number | null
  /** When a restriction ends. */
  readonly expiresAt: Date | null
  /** The part of the network that ended it, as the network names it. */
  readonly location: string | null
  /** What was in the way, such as the status of a proxy; null when it was the network. */
  readonly obstacle: string | null
  /** Whether the account can be linked by a passkey only. */
  readonly isPasskeyDemanded: boolean
}

/** What a connection reports. */
export interface ConnectionEvents {
  /** A QR to scan, and until when it is valid. */
  onQr(qr: { readonly text: string; readonly expiresAt: Date }): void
  /** The name that the account has given itself has changed, or is known now. */
  onName(): void
  onOpen(): void
  /** Called once, after which the connection is of no use. */
  onClose(closing: Closing): void
  /** The network refused a message, with this code. */
  onRefused(code: number): void
  /** The network has changed what it allows the account. */
  onLimits(limits: AccountLimits): void
  /** What the phone shared: chats with their messages. */
  onHistory(messages: readonly HistoryMessage[]): void
  /** Names of people, from the address book of the phone or from themselves. */
  onContacts(contacts: readonly KnownContact[]): void
}

/** A message of the history that a phone shared. */
export interface HistoryMessage {
  readonly chat: string
  readonly networkId: string
  readonly at: Date
  readonly fromMe: boolean
  readonly message: proto.IMessage
}

/** A person with the name in the address book and the name that the person has chosen. */
export interface KnownContact {
  readonly jid: string
  readonly saved: string | null
  readonly chosen: string | null
}

/** A file to send. */
export interface OutboundFile {
  readonly kind: 'image' | 'video' | 'file' | 'voice'
  readonly bytes: Readable
  readonly mimetype: string
  readonly filename?: string | undefined
  readonly caption?: string | undefined
  readonly seconds?: number | undefined
  readonly waveform?: readonly number[] | undefined
}

/** How a message is handed to the network. */
export interface RelayOptions {
  readonly id: string
  readonly timeoutMs: number
  /** What the message changes: another message's text, or that it exists. */
  readonly change?: 'edit' | 'revoke'
}

/** The connection of one number. Calls throw {@link Refused}, {@link ConnectionLost} or {@link NoResponse}. */
export interface Connection {
  /** Sends a message and resolves when the network has acknowledged it. */
  relay(jid: string, message: proto.IMessage, options: RelayOptions): Promise<void>
  /** Whether the network knows a person. Throws {@link NoResponse} when it does not say. */
  isKnown(jid: string, timeoutMs: number): Promise<boolean>
  check(digits: readonly string[]): Promise<Map<string, CheckResult>>
  /** Queries what the network allows the account. */
  limits(): Promise<AccountLimits>
  typing(jid: string, on: boolean): Promise<void>
  setAvailable(available: boolean): Promise<void>
  seen(jid: string, networkIds: readonly string[]): Promise<void>
  /** Encrypts and uploads a file; returns the message that refers to it. */
  upload(file: OutboundFile): Promise<proto.IMessage>
  /** Downloads and decrypts the file of a received message; null when the network no longer keeps it. */
  download(reference: Json): Promise<Readable | null>
  pairingCode(digits: string): Promise<string>
  profile(): Promise<Pick<Profile, 'about' | 'pictureUrl'>>
  setProfile(change: Pick<ProfileChange, 'name' | 'about'> & { picture?: Buffer }): Promise<void>
  /** Ends the link on the network's side, and the connection. */
  logout(): Promise<void>
  close(): Promise<void>
}

/** The hosts of files, and the connections to them that do not use a proxy. */
export interface FileNetwork {
  readonly hosts: FileHosts
  readonly agent: Dispatcher
}

/** What an engine works with beside the keys of a number. */
export interface EngineConfig {
  /** Where the network listens. */
  readonly url: string
  readonly files: FileNetwork
  /** Whether the leases of this process are its own. */
  readonly leases: LeaseClock
  /** Where the forms of all stanzas are written; null: nowhere. */
  readonly trace: TraceFolder | null
  /** How often a connection requests a sign of life; without one it ends 5 s after that time. */
  readonly keepAliveMs: number
}

/** How one connection is made. */
export interface ConnectionConfig extends EngineConfig {
  /** The version that the engine claims to be, such as 2.3000.1043857760. */
  readonly version: string
  /** The address of the proxy for the connection and for files; null: none. */
  readonly proxy: string | null
}

/** A client library behind our interface. */
export interface Engine {
  readonly name: string
  open(vault: Vault, config: ConnectionConfig, events: ConnectionEvents, translate: Translator): Connection
  /** Tries the way to the network without an account. */
  probe(config: ConnectionConfig): Promise<NetworkProbe>
}

/** Turns what arrives into events, which are staged in the commit of the keys that decrypted it. */
export interface Translator {
  arrival(attrs: Readonly<Record<string, string>>, plain: Uint8Array): Promise<readonly StagedEvent[]>
  /** Translates a message that came without its content, which the phone has. */
  withheld(attrs: Readonly<Record<string, string>>): readonly StagedEvent[]
}

/** An event with the id that makes it come once; null for one that may come again. */
export interface StagedEvent {
  readonly eventId: string | null
  readonly body: NetworkEvent
}
