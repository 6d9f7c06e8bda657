import type { ClaimedDelivery } from '../delivery/delivery-store.ts'
import { signatureHeader } from './signature.ts'

/** The body of a delivery: the same bytes at every attempt. */
export function deliveryBody({ event, data, happenedAt }: ClaimedDelivery): string {
  return JSON.stringify({ event, data, timestamp: happenedAt.toISOString() })
}

/**
 * The headers of one attempt (specification, "Delivery rules"), names and values in turns: signed anew with each of
 * `secrets`, the newest first, or unsigned without any. `signedAtSeconds` is Unix time. Throws for a malformed secret.
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
