import type { Stripe } from 'stripe'
import type { New } from './customer.ts'

/** The version of the provider's interface that the library pins, and the simulator speaks. */
const apiVersion = '2026-10-28.endive'

/** Returns an event as it is delivered: `object` is what it is about, as it was at that moment. */
export function newEvent({ id, now }: New, type: string, object: object): Stripe.Event {
  return {
    id,
    object: 'event',
    api_version: apiVersion,
    created: now,
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event
}
