import type { WebhookEvent } from '@msgctl/contract'

/**
 * Stands for the name of a kind newer than this package; the value is the real name. A literal, because only literals
 * let `event.event === 'message.failed'` narrow `data`. To compare it: `const kind: string = event.event`.
 */
export type UnknownKind = '(a kind newer than this package)'

/** The name of a kind of event this package knows. */
export type KnownKind = WebhookEvent['event']

/** What the headers add to an event. They are not covered by the signature. */
export interface DeliveryFacts {
  /** One id per event, the same on every attempt; null when the header is missing or not an id. */
  readonly deliveryId: string | null
  /** Whether someone asked the service to send an earlier event again. */
  readonly replayed: boolean
  /** Whether it is a sample from POST /me/webhook/test: nothing happened. */
  readonly sample: boolean
}

/** An event of a kind this package knows; `Extract` one by its name. */
export type KnownEvent<Kind extends KnownKind = KnownKind> = Extract<WebhookEvent, { event: Kind }> & DeliveryFacts

/** An event of a kind newer than this package. */
export interface UnknownEvent extends DeliveryFacts {
  readonly event: UnknownKind
  readonly data: Readonly<Record<string, unknown>>
  /** When it happened, ISO 8601 UTC. */
  readonly timestamp: string
}

/** A verified event: `event` tells the type of `data`, kinds that are not known yet stay usable. */
export type VerifiedEvent = KnownEvent | UnknownEvent
