import type { Readable } from 'node:stream'

/** JSON that a driver stores for itself; the service does not read it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** One number at the driver: our container id, and the organization that owns it. */
export interface GatewaySession {
  readonly containerId: string
  readonly organizationId: string
}

/** A person on the network. A hidden id is written as the API writes it, with its `@lid`, here and wherever `lid` stands. */
export type NetAddress = { kind: 'phone'; digits: string } | { kind: 'lid'; id: string }

/** A message on the network. `networkId` is the bare id, unique per number; `raw` is the driver's own. */
export interface MessageRef {
  readonly networkId: string
  readonly chat: NetAddress
  readonly raw: Json
}

/** The states of a number in the specification. */
type NumberStatus = 'WORKING' | 'SCAN_QR_CODE' | 'STARTING' | 'STOPPED' | 'FAILED' | 'UNREACHABLE'

export interface SessionState {
  readonly status: Exclude<NumberStatus, 'UNREACHABLE'>
  /** The linked account; null while there is none. */
  readonly me: { readonly id: string; readonly digits: string; readonly pushName: string } | null
  /** The reason for the state, as one stable word: e.g. `logged_out`, `qr_expired`, `connection_lost`. */
  readonly reason?: string
  /**
   * Orders the states of a session, whatever the clocks say. Each report has a larger one than the report before, over
   * restarts of the driver too. The response of a call repeats the number of the last report.
   */
  readonly sequence: number
}

export type Content =
  | { kind: 'text'; text: string; linkPreview?: boolean }
  | {
      kind: 'image' | 'video' | 'file' | 'voice'
      bytes: () => Readable
      sizeBytes: number
      mimetype: string
      filename?: string
      caption?: string
    }
  | {
      kind: 'contacts'
      contacts: { fullName: string; phone: string; organization?: string; email?: string; url?: string }[]
    }
  | { kind: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  | {
      kind: 'link'
      text: string
      url: string
      title?: string
      description?: string
      /** The picture of the preview. */
      image?: { bytes: () => Readable; sizeBytes: number; mimetype: string }
    }
  | { kind: 'poll'; question: string; options: string[]; multipleAnswers: boolean }

export interface SendOptions {
  /**
   * The id the message gets on the network, chosen by us: a second send with the same one is the same message. A driver
   * with the capability `clientMessageId` returns and reports it as the `networkId`.
   */
  readonly clientId: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Whether the typing indicator was shown before; the driver only records it. */
  readonly typed?: boolean
}

export interface SendReceipt {
  readonly ref: MessageRef
  readonly status: 'pending' | 'sent'
}

export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'played' | 'failed'

/** The result of a check of a recipient. */
export interface CheckResult {
  readonly exists: boolean
  readonly address?: NetAddress
  readonly lid?: string
}

export interface InboundMessage {
  readonly networkId: string
  readonly from: NetAddress
  readonly lid?: string
  readonly senderName: string
  readonly type: 'chat' | 'location' | 'voice' | 'image' | 'video' | 'file' | 'sticker' | 'buttons' | 'list'
  readonly text: string
  readonly latitude?: number
  readonly longitude?: number
  readonly selectedButtonId?: string
  readonly selectedRowId?: string
  readonly groupId?: string
  readonly media?: { readonly mimetype: string; readonly filename?: string; readonly sizeBytes: number }
}

interface EventOf<Kind extends string> {
  readonly kind: Kind
  readonly containerId: string
  readonly organizationId: string
  /** When it happened on the network, in service time. */
  readonly at: Date
}

/** What the network reports, at least once and in any order. */
export type GatewayEvent =
  | (EventOf<'session.state'> & { readonly state: SessionState })
  | (EventOf<'message.in'> & { readonly message: InboundMessage })
  | (EventOf<'message.out'> & { readonly networkId: string; readonly to: NetAddress; readonly text: string })
  | (EventOf<'message.status'> & {
      readonly networkId: string
      readonly status: ReceiptStatus
      readonly error?: string
    })
  | (EventOf<'message.edited'> & { readonly networkId: string; readonly text: string })
  | (EventOf<'message.revoked'> & { readonly networkId: string })
  | (EventOf<'poll.vote'> & {
      readonly pollNetworkId: string
      readonly voteNetworkId: string
      readonly from: NetAddress
      readonly selectedOptions: string[]
    })
  | (EventOf<'contacts.upsert'> & {
      readonly contacts: { readonly address: NetAddress; readonly name: string; readonly saved: boolean }[]
    })
  | (EventOf<'lid.mapping'> & { readonly lid: string; readonly digits: string })
  | (EventOf<'history.progress'> & { readonly imported: number; readonly done: boolean })

/** Takes a batch of events; the source is acknowledged only after it resolved. */
export type GatewayHandler = (events: readonly GatewayEvent[]) => Promise<void>

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

export type GatewayCapability =
  | 'qr'
  | 'pair'
  | 'typing'
  | 'read'
  | 'poll'
  | 'edit'
  | 'delete'
  | 'forward'
  | 'lid'
  | 'history'
  | 'clientMessageId'
  | 'batchCheck'

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
 * The interface to a chat network. Every call may throw a GatewayError. Session calls are idempotent. A restart of a driver
 * loses no state.
 */
export interface Gateway {
  readonly name: string
  readonly caps: ReadonlySet<GatewayCapability>
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
  /** Checks which numbers are on the network; a number that is missing in the result could not be checked. */
  check(session: GatewaySession, digits: readonly string[], signal?: AbortSignal): Promise<Map<string, CheckResult>>
  typing(session: GatewaySession, to: NetAddress, on: boolean): Promise<void>
  /** Shows read ticks for what a person sent, up to now. */
  seen(session: GatewaySession, chat: NetAddress): Promise<void>
  send(session: GatewaySession, to: NetAddress, content: Content, options: SendOptions): Promise<SendReceipt>
  forward(session: GatewaySession, to: NetAddress, message: MessageRef, options: SendOptions): Promise<SendReceipt>
  edit(session: GatewaySession, message: MessageRef, text: string): Promise<void>
  revoke(session: GatewaySession, message: MessageRef): Promise<void>
  contacts(session: GatewaySession): Promise<GatewayContact[]>
  /** The pairs of hidden id and number that are known. */
  lids(session: GatewaySession): Promise<{ lid: string; digits: string }[]>
  chats(session: GatewaySession, limit: number): Promise<{ address: NetAddress; name: string; lastAt: Date }[]>
  messages(session: GatewaySession, chat: NetAddress, limit: number): Promise<GatewayChatMessage[]>
  profile(session: GatewaySession): Promise<Profile>
  setProfile(session: GatewaySession, change: ProfileChange): Promise<Profile>
  fetchMedia(session: GatewaySession, networkId: string): Promise<{ bytes: Readable; mimetype: string } | null>
  /** Starts passing events to `handler`. The returned function stops it and waits for the batch that runs. */
  subscribe(handler: GatewayHandler): () => Promise<void>
  /** For drivers that are fed over HTTP. */
  readonly ingress?: {
    readonly path: string
    verify(raw: Uint8Array, headers: Record<string, string | string[] | undefined>): boolean
    parse(raw: Uint8Array): GatewayEvent[]
  }
  /** Whether the network can be reached at all, or the host of one number can. Never throws. */
  health(session?: GatewaySession): Promise<{ ok: boolean; detail?: string }>
  /** Returns the container ids of those numbers whose host does not respond now. */
  silentHosts(sessions: readonly GatewaySession[]): Promise<ReadonlySet<string>>
  close(): Promise<void>
}
