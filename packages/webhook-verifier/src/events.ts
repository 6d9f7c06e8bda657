import type { EventKind, WebhookEvent } from './generated/events.ts'

/**
 * Exists in types only. The type of a member differs from the types of all texts, which that of a marked text does not,
 * and editors do not offer it among the names of events.
 */
declare enum NewerKind {
  name = 'any',
}

/**
 * The type of the name of an event type newer than this package; the value is the real name. It differs from the known
 * names, so that `event.event === 'message.failed'` narrows `data`. To compare it: `const kind: string = event.event`.
 */
export type UnknownKind = NewerKind.name

/** The name of an event type that this package knows. */
export type KnownKind = EventKind

/** The fields that come from the headers. The signature covers none of them. */
export interface DeliveryFacts {
  /**
   * Recognizes the signed bytes: every copy of a recorded delivery has the same, and each attempt of the service
   * another one. It is the MAC by the first secret, whichever matched; null for an unsigned delivery.
   */
  readonly signature: string | null
  /** The id of the event, the same in every attempt; null when the header is missing or not an id. */
  readonly deliveryId: string | null
  /** Whether the event was sent again on request. */
  readonly replayed: boolean
  /** Whether it is a sample from POST /me/webhook/test: nothing happened. */
  readonly sample: boolean
}

/** An event of a type that this package knows. */
export type KnownEvent<Kind extends KnownKind = KnownKind> = Kind extends KnownKind
  ? WebhookEvent<Kind> & DeliveryFacts
  : never

/** An event of a type newer than this package. */
export interface UnknownEvent extends DeliveryFacts {
  readonly event: UnknownKind
  readonly data: Readonly<Record<string, unknown>>
  /** When it happened, ISO 8601 UTC. */
  readonly timestamp: string
}

/** A verified event. `event` narrows the type of `data`; unknown event types have `data` as a record. */
export type VerifiedEvent = KnownEvent | UnknownEvent
