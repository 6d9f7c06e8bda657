import type { ClaimedDelivery } from '../delivery/delivery-store.ts'
import { signatureHeader } from './signature.ts'

/** Returns the body of a delivery, which is the same at every attempt. */
export function deliveryBody({ event, data, happenedAt }: ClaimedDelivery): string {
  return JSON.stringify({ event, data, timestamp: happenedAt.toISOString() })
}

/**
 * Returns the headers of one attempt as a flat [name, value, …] array (specification, "Delivery rules"). It is signed with
 * each of `secrets`, the newest first. `signedAtSeconds` is Unix time. Throws for a malformed secret.
 */
export function deliveryHeaders(
  delivery: ClaimedDelivery,
  options: { body: string; serviceName: string; secrets: readonly string[]; signedAtSeconds: number },
): string[] {
  const { body, serviceName, secrets, signedAtSeconds } = options
  const headers = [
    'Content-Type',
    'application/json',
    'User-Agent',
    `${serviceName}/1.0`,
    'X-Service-Event',
    delivery.event,
    'X-Service-Delivery',
    delivery.eventId,
  ]
  if (delivery.replay) headers.push('X-Service-Replay', 'true')
  if (delivery.sample) headers.push('X-Service-Sample', 'true')
  if (secrets.length > 0) headers.push('X-Service-Signature', signatureHeader(body, secrets, signedAtSeconds))
  return headers
}
