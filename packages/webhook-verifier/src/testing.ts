import type { KnownKind } from './events.ts'
import { eventFixtures } from './generated/event-fixtures.ts'
import type { WebhookEvent } from './generated/events.ts'
import { sign } from './sign.ts'

export { eventFixtures } from './generated/event-fixtures.ts'

/** The body of a delivery of one kind. */
export type EventBody<Kind extends KnownKind = KnownKind> = WebhookEvent<Kind>

/** A signing secret for tests. */
export const testSecret = `whsec_${'0123456789abcdef'.repeat(4)}`

/** Returns an example event of one type; `data` replaces fields of its data. */
export function eventOf<Kind extends KnownKind>(
  kind: Kind,
  data: Partial<EventBody<Kind>['data']> = {},
): EventBody<Kind> {
  const fixture: EventBody<Kind> = eventFixtures[kind]
  return { ...fixture, data: { ...fixture.data, ...data } }
}

/** The options of a delivery. */
export interface DeliveryOptions {
  /** The signing secret (default: {@link testSecret}). Several give one `v1` each, as during a rotation. */
  readonly secret?: string | readonly string[] | undefined
  /** The time `t` (default: now). Verifiers reject a time more than 5 minutes from their clock. */
  readonly timestampSeconds?: number | undefined
  /** The id of the event (default: a new one). */
  readonly deliveryId?: string | undefined
  /** Whether the event was sent again on request (default: false). */
  readonly replayed?: boolean | undefined
  /** As a sample from POST /me/webhook/test. */
  readonly sample?: boolean | undefined
}

/** A delivery in the form that the service posts. */
export interface SignedDelivery {
  readonly body: string
  readonly headers: Record<string, string>
}

/**
 * Returns a delivery of an event, signed like one of the service. Post its `body` with its `headers` to the receiver
 * under test.
 *
 * @throws WebhookVerificationError malformed_secret or malformed_timestamp
 */
export async function signedDelivery(
  event: { readonly event: string; readonly data: unknown; readonly timestamp: string },
  options: DeliveryOptions = {},
): Promise<SignedDelivery> {
  const body = JSON.stringify(event)
  const headers = {
    'content-type': 'application/json',
    'x-service-event': event.event,
    'x-service-delivery': options.deliveryId ?? crypto.randomUUID(),
    'x-service-signature': await sign(body, options.secret ?? testSecret, options.timestampSeconds),
    ...(options.replayed ? { 'x-service-replay': 'true' } : {}),
    ...(options.sample ? { 'x-service-sample': 'true' } : {}),
  }
  return { body, headers }
}
