import { type EventBody, eventFixtures } from './event-fixtures.ts'
import type { KnownKind } from './events.ts'
import { sign } from './sign.ts'

export { type EventBody, eventFixtures } from './event-fixtures.ts'

/** A signing secret of the right form that no service uses. */
export const testSecret = `whsec_${'0123456789abcdef'.repeat(4)}`

/** An example event of one kind, with fields of its `data` as the test needs them. */
export function eventOf<Kind extends KnownKind>(
  kind: Kind,
  data: Partial<EventBody<Kind>['data']> = {},
): EventBody<Kind> {
  const fixture: EventBody<Kind> = eventFixtures[kind]
  return { ...fixture, data: { ...fixture.data, ...data } }
}

/** How a delivery differs from a usual one. */
export interface DeliveryOptions {
  /** Default: {@link testSecret}. Several give one `v1` each, as while a rotation overlaps. */
  readonly secret?: string | readonly string[] | undefined
  /** Default: the machine's clock. Verifiers refuse what is more than 5 minutes away from theirs. */
  readonly timestampSeconds?: number | undefined
  /** One id per event. Default: a new one. */
  readonly deliveryId?: string | undefined
  /** As when somebody asked for the event again. */
  readonly replayed?: boolean | undefined
  /** As a sample from POST /me/webhook/test. */
  readonly sample?: boolean | undefined
}

/** A delivery as the service posts it. */
export interface SignedDelivery {
  readonly body: string
  readonly headers: Record<string, string>
}

/**
 * A delivery of an event, signed as the service signs it: post its `body` with its `headers` to the receiver under test.
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
