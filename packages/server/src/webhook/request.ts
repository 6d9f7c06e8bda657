import { sign } from '@msgctl/webhook-verifier'
import type { ClaimedDelivery } from './delivery-store.ts'

/** The body of a delivery: the same bytes at every attempt. */
export function deliveryBody({ event, data, happenedAt }: ClaimedDelivery): string {
  return JSON.stringify({ event, data, timestamp: happenedAt.toISOString() })
}

/**
 * The headers of one attempt (specification, "Delivery rules"): signed anew with each of `secrets`, the newest first, or
 * unsigned without any. `signedAtSeconds` is Unix time.
 */
export async function deliveryHeaders(
  delivery: ClaimedDelivery,
  options: { body: string; serviceName: string; secrets: readonly string[]; signedAtSeconds: number },
): Promise<Record<string, string>> {
  const { body, serviceName, secrets, signedAtSeconds } = options
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}/1.0`,
    'X-Service-Event': delivery.event,
    'X-Service-Delivery': delivery.eventId,
    ...(delivery.replay && { 'X-Service-Replay': 'true' }),
    ...(secrets.length > 0 && { 'X-Service-Signature': await sign(body, secrets, signedAtSeconds) }),
  }
}
