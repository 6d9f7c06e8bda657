import type { Readable } from 'node:stream'
import type { Content } from './content.ts'
import type { GatewayHandler, InboundMessage } from './events.ts'
import type { GatewaySession, Json, MessageRef, NetAddress, SessionState } from './session.ts'

export type { Content } from './content.ts'
export type {
  ChangeAuthor,
  GatewayEvent,
  GatewayHandler,
  InboundMessage,
  NetworkReport,
  ReceiptStatus,
} from './events.ts'
export type { GatewaySession, Json, LinkStep, MessageRef, NetAddress, SessionState } from './session.ts'

/** The limits of a call that changes something on the network. */
export interface CallOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface SendOptions extends CallOptions {
  /**
   * The id that the message gets on the network, chosen by us: a second send with the same one is the same message.
   * Every driver returns and reports it as the `networkId`.
   */
  readonly clientId: string
  /** Whether the typing indicator was shown before; the driver only records it. */
  readonly typed?: boolean
}

/** How a message is forwarded. */
interface ForwardOptions extends SendOptions {
  /**
   * What is sent, marked as forwarded where the network allows it, when the driver no longer holds the message. Null:
   * the service cannot rebuild it (it keeps no files), so the forward fails with `rejected`.
   */
  readonly fallback: Content | null
}

export interface SendReceipt {
  readonly ref: MessageRef
  readonly status: 'pending' | 'sent'
}

/** The result of a check of a recipient. */
export interface CheckResult {
  readonly exists: boolean
  /** The network's own address of the person, which sends use: in some countries it differs from the digits by one. */
  readonly address?: NetAddress
  readonly lid?: string
}

export interface Profile {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly pictureUrl: string | null
}

/** Changes of a profile; the picture comes as bytes, never as the caller's link. */
export interface ProfileChange {
  readonly name?: string
  readonly about?: string
  readonly picture?: { readonly bytes: () => Readable; readonly sizeBytes: number; readonly mimetype: string }
}

/** What a driver may lack. The contract suite skips the tests of what a driver does not name. */
export type GatewayCapability =
  | 'qr'
  | 'pair'
  | 'passkey'
  | 'typing'
  | 'read'
  | 'poll'
  | 'edit'
  | 'delete'
  | 'forward'
  | 'lid'
  | 'history'

export interface GatewayContact {
  readonly address: NetAddress
  readonly lid?: string
  readonly name: string
  readonly saved: boolean
}

interface GatewayChatMessage {
  readonly networkId: string
  readonly chat: NetAddress
  readonly direction: 'in' | 'out'
  /** What kind of message it is; left out for a text. */
  readonly type?: InboundMessage['type']
  readonly text: string
  readonly at: Date
}

/**
 * The interface to a chat network. Every call may throw a GatewayError. Session calls are idempotent. A restart of a
 * driver loses no state.
 */
export interface Gateway {
  /** Registers the number at the network, without starting it. */
  ensure(session: GatewaySession): Promise<void>
  /** Starts the number and returns its state after that, like the next three calls. */
  start(session: GatewaySession): Promise<SessionState>
  stop(session: GatewaySession): Promise<SessionState>
  /** Restarts the connection and keeps the link to the phone. */
  restart(session: GatewaySession): Promise<SessionState>
  /** Ends the link to the phone. */
  logout(session: GatewaySession): Promise<SessionState>
  /** Deletes the number at the network. */
  remove(session: GatewaySession): Promise<void>
  state(session: GatewaySession): Promise<SessionState>
  /** The text behind the QR that is valid now, and until when; null while there is none. */
  qr(session: GatewaySession): Promise<{ text: string; expiresAt: Date } | null>
  /** The 8-character code to type on the phone with these digits. */
  pairingCode(session: GatewaySession, digits: string): Promise<string>
  /**
   * Completes the step `passkey` of a link with the assertion of a browser. Throws `unsupported` without the
   * capability.
   */
  passkey(session: GatewaySession, assertion: Json): Promise<void>
  /** Completes the step `confirm` of a link. Throws `unsupported` without the capability `passkey`. */
  confirmLink(session: GatewaySession): Promise<void>
  /** Checks which numbers are on the network; a number that is missing in the result could not be checked. */
  check(session: GatewaySession, digits: readonly string[], signal?: AbortSignal): Promise<Map<string, CheckResult>>
  /** How many numbers one call of `check` should take, from 1 to 5. */
  checkBatch(session: GatewaySession): number
  typing(session: GatewaySession, to: NetAddress, on: boolean): Promise<void>
  /** Shows read ticks for these messages of a person. */
  seen(session: GatewaySession, chat: NetAddress, networkIds: readonly string[]): Promise<void>
  send(session: GatewaySession, to: NetAddress, content: Content, options: SendOptions): Promise<SendReceipt>
  /** Forwards a message; a driver that does not hold it any more sends the fallback. */
  forward(session: GatewaySession, to: NetAddress, message: MessageRef, options: ForwardOptions): Promise<SendReceipt>
  edit(session: GatewaySession, message: MessageRef, text: string, options: CallOptions): Promise<void>
  revoke(session: GatewaySession, message: MessageRef, options: CallOptions): Promise<void>
  contacts(session: GatewaySession): Promise<GatewayContact[]>
  /** The pairs of hidden id and number that are known. */
  lids(session: GatewaySession): Promise<{ lid: string; digits: string }[]>
  /** The chats that the phone shared when it was linked, at most `limit`; empty for a driver without them. */
  chats(session: GatewaySession, limit: number): Promise<{ address: NetAddress; name: string; lastAt: Date }[]>
  /**
   * The messages of a chat that the phone shared when it was linked, the oldest first; empty for a driver without them.
   */
  messages(session: GatewaySession, chat: NetAddress, limit: number): Promise<GatewayChatMessage[]>
  profile(session: GatewaySession): Promise<Profile>
  setProfile(session: GatewaySession, change: ProfileChange): Promise<Profile>
  /** The file of a received message, by its `raw`; null when it has none, or the network no longer keeps it. */
  fetchMedia(session: GatewaySession, message: MessageRef): Promise<{ bytes: Readable; mimetype: string } | null>
  /** Whether the hosts have room for another number. */
  hasRoom(): Promise<boolean>
  /** Starts passing events to `handler`. The returned function stops it and waits for the batch that runs. */
  subscribe(handler: GatewayHandler): () => Promise<void>
  /** Whether the network can be reached at all, or the host of one number can. Never throws. */
  health(session?: GatewaySession): Promise<{ ok: boolean; detail?: string }>
  /** Returns the container ids of those numbers whose host does not respond now. */
  silentHosts(sessions: readonly GatewaySession[]): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** A file that a host fetches from the service. */
export interface FetchedFile {
  readonly bytes: () => Readable
  readonly sizeBytes: number
  readonly mimetype: string
}

/** The headers of a request, by name in lower case. */
export type IngressHeaders = Readonly<Record<string, string | string[] | undefined>>

/** One network behind the interface. Several run side by side, see combined.ts. */
export interface Driver extends Gateway {
  /** As in the setting GATEWAY and in numbers.gateway. */
  readonly name: string
  readonly caps: ReadonlySet<GatewayCapability>
  /** For a driver whose hosts report over HTTP. */
  readonly ingress?: {
    /**
     * Returns whether a request may be read: its host is known, and it carries a signature of the right form. Decided
     * from memory, except for one query a second for hosts that are not known.
     */
    admits(host: string, headers: IngressHeaders): Promise<boolean>
    /**
     * Verifies a request with the key of that host and stores its body in the inbox. Resolves after the commit.
     * `refused`: the host is unknown, or the request is not signed by it. Throws when it could not be stored.
     */
    receive(host: string, raw: Uint8Array, headers: IngressHeaders): Promise<'stored' | 'refused'>
    /** The file of a send under way that a host fetches from this process; null for an unknown token. */
    file?(token: string): FetchedFile | null
  }
}
