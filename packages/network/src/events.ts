import type { Json, NetAddress, SessionState } from './session.ts'

export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'played' | 'failed'

/** A file that came with a message, as its sender named it. */
interface ReceivedMedia {
  readonly mimetype: string
  readonly filename?: string
  readonly sizeBytes: number
}

export interface InboundMessage {
  readonly networkId: string
  readonly from: NetAddress
  readonly lid?: string
  readonly senderName: string
  /** `unsupported`: people see something on the phone that the driver cannot read; it has no text. */
  readonly type:
    | 'chat'
    | 'location'
    | 'voice'
    | 'image'
    | 'video'
    | 'file'
    | 'sticker'
    | 'buttons'
    | 'list'
    | 'unsupported'
  readonly text: string
  readonly latitude?: number
  readonly longitude?: number
  readonly selectedButtonId?: string
  readonly selectedRowId?: string
  readonly groupId?: string
  /** Phones do not count it as unread, such as a reaction. */
  readonly isQuiet?: true
  readonly media?: ReceivedMedia
  /**
   * What the driver needs to fetch the file later: stored, and passed back by `fetchMedia`. Null for a message without
   * one.
   */
  readonly raw: Json
}

/** What the network reports about conversations that the account begins. */
interface AccountLimits {
  /** New conversations of the present window; `quota` is null where the network names none. Null: nothing is known. */
  readonly newChats: { readonly used: number; readonly quota: number | null; readonly resetsAt: Date | null } | null
  /** Until when the account may not begin conversations; null: it may. */
  readonly blockedUntil: Date | null
}

/**
 * Who changed a message: the account of the number, or a person by the addresses that are known. Only who wrote a
 * message changes it. A source that leaves it out vouches for that itself.
 */
export type ChangeAuthor = 'account' | readonly NetAddress[]

interface EventOf<Kind extends string> {
  readonly kind: Kind
  readonly containerId: string
  readonly organizationId: string
  /**
   * When it happened on the network, in service time. Live messages of one number have distinct times, in their order.
   */
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
  | (EventOf<'message.edited'> & {
      readonly networkId: string
      readonly text: string
      readonly by?: ChangeAuthor
    })
  | (EventOf<'message.revoked'> & { readonly networkId: string; readonly by?: ChangeAuthor })
  /** A file of higher quality replaces the one of a message that the same person sent before. `raw` as in a message. */
  | (EventOf<'message.file'> & {
      readonly networkId: string
      readonly from: NetAddress
      readonly media: ReceivedMedia
      readonly raw: Json
    })
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
  | (EventOf<'account.limits'> & { readonly limits: AccountLimits })

type WithoutNumber<Event> = Event extends GatewayEvent ? Omit<Event, 'containerId' | 'organizationId'> : never

/** An event as a driver translates it: without its number, its times by the network's clock. */
export type NetworkReport = WithoutNumber<GatewayEvent>

/** Takes a batch of events; the source is acknowledged only after it resolved. */
export type GatewayHandler = (events: readonly GatewayEvent[]) => Promise<void>
