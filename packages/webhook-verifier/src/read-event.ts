import { tagOf } from './body.ts'
import { refuse } from './error.ts'
import type { VerifiedEvent } from './events.ts'
import { headerValue, type WebhookHeaders } from './headers.ts'

const utcInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const deliveryIdForm = /^[\w.:-]{1,128}$/

const decoder = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return refuse('invalid_json')
  }
}

/**
 * Returns the event in a verified body (specification, "Delivery rules"). Its type comes from the signed body, never
 * from X-Service-Event, which the signature does not cover.
 *
 * @throws WebhookVerificationError invalid_json or invalid_event
 */
export function readEvent(body: Uint8Array, headers: WebhookHeaders, signature: string | null): VerifiedEvent {
  const { event, data, timestamp } = Object(parseJson(body)) as Readonly<Record<string, unknown>>
  const named = typeof event === 'string' && event !== ''
  const timed = typeof timestamp === 'string' && utcInstant.test(timestamp)
  if (!named || !timed || tagOf(data) !== '[object Object]') refuse('invalid_event')
  const deliveryId = headerValue(headers, 'x-service-delivery') ?? ''
  return {
    event,
    data,
    timestamp,
    signature,
    deliveryId: deliveryIdForm.test(deliveryId) ? deliveryId : null,
    replayed: headerValue(headers, 'x-service-replay') === 'true',
    sample: headerValue(headers, 'x-service-sample') === 'true',
  } as VerifiedEvent
}
