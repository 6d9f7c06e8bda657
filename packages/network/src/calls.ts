import type { Content, Json, MessageRef, NetAddress } from './gateway.ts'

type Without<Value, Key extends PropertyKey> = Value extends unknown ? Omit<Value, Key> : never

/** A file that follows the head of a call. */
export interface FileHead {
  readonly sizeBytes: number
  /** In hex. */
  readonly sha256: string
}

/** Content as it is sent to a host: its bytes follow the head. */
export type WireContent = Without<Content, 'bytes' | 'image'> & { readonly image?: { readonly mimetype: string } }

/** The arguments of each call to a host, beside the number. */
export interface HostCalls {
  qr: object
  pairingCode: { digits: string }
  check: { digits: readonly string[] }
  typing: { to: NetAddress; on: boolean }
  seen: { chat: NetAddress; networkIds: readonly string[] }
  send: { to: NetAddress; content: WireContent; clientId: string; timeoutMs: number }
  forward: { to: NetAddress; networkId: string; clientId: string; timeoutMs: number }
  edit: { message: MessageRef; text: string; timeoutMs: number }
  revoke: { message: MessageRef; timeoutMs: number }
  contacts: object
  lids: object
  chats: { limit: number }
  messages: { chat: NetAddress; limit: number }
  profile: object
  setProfile: { name?: string; about?: string; hasPicture: boolean }
  fetchMedia: { raw: Json }
  /** Ends the link on the network's side, before a number is deleted. */
  unlink: object
  /** Tries the way to the network: that of a number, or with an empty containerId that of the host without a proxy. */
  probe: object
  /** Names the process of the host; with `end`, the host ends itself after the response as a crash does. */
  process: { end?: true }
}

/** The process of a host. */
export interface HostProcess {
  readonly pid: number
  /** The name of its machine, or of its container. */
  readonly machine: string
  /** Whether it ends itself now. Hosts of an earlier release do not. */
  readonly isEnding?: boolean
}

/** What a host saw on its way to the network. */
export interface NetworkProbe {
  /** The version that it names, like 2.3000.1043857760. */
  readonly version: string
  readonly connection: {
    /** Where it connected. */
    readonly host: string
    /** How long the network took to offer a QR to a device of no account; null: it did not. */
    readonly offeredMs: number | null
    /** The code with which the network ended the connection before. */
    readonly code: number | null
    /** What was in the way: the status of a proxy, or a code of the socket or of TLS. */
    readonly obstacle: string | null
  }
  /** The host of files, which any response proves. */
  readonly files: { readonly host: string; readonly respondedMs: number | null; readonly obstacle: string | null }
  /** How far the clock of the host is ahead of that of the file host, to about a second; null without a response. */
  readonly aheadMs: number | null
}

export type HostOperation = keyof HostCalls

/** The head of a call. */
export type CallHead<Operation extends HostOperation> = HostCalls[Operation] & {
  readonly containerId: string
  readonly file?: FileHead
}

/** The failure of a call, as a host responds with it. */
export interface WireFailure {
  readonly kind: string
  readonly outcome: 'not_sent' | 'unknown'
  readonly safeMessage: string
  readonly retryAfterMs?: number
  /** In milliseconds since 1970, on the clock of the network. */
  readonly blockedUntilMs?: number
}
