import { createHmac } from 'node:crypto'
import type { ClaimedDelivery } from '#events/webhook/delivery/delivery-store.ts'

const secretForm = /^whsec_[\da-fA-F]{64}$/

/**
 * Returns the value of X-Service-Signature: `t=<unix seconds>,v1=<hex>`, with one v1 for each of `secrets` in their
 * order (specification, "Signature"). It equals the result of the verifier's `sign`, which uses WebCrypto: its switch
 * between threads costs more than the rest of a delivery. Throws for a malformed secret.
 */
export function signatureHeader(body: string, secrets: readonly string[], timestampSeconds: number): string {
  const parts = secrets.map((secret) => `,v1=${computeMac(secret, `${timestampSeconds}.${body}`)}`)
  return `t=${timestampSeconds}${parts.join('')}`
}

function computeMac(secret: string, payload: string): string {
  if (!secretForm.test(secret))
    throw new Error('the signing secret is not whsec_ followed by 64 hexadecimal characters')
  return createHmac('sha256', secret).update(payload).digest('hex')
}

/**
 * Returns the time of a signature in whole Unix seconds, from the machine's clock. Receivers compare it with their own
 * clock and refuse a difference of five minutes, so it cannot follow service time, which tests and the simulator move.
 */
export function signingTimeSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Returns the body of a delivery, which is the same at every attempt. */
export function deliveryBody({ event, data, happenedAt }: ClaimedDelivery): string {
  return `{"event":${JSON.stringify(event)},"data":${data},"timestamp":"${happenedAt.toISOString()}"}`
}

/**
 * Returns the headers of one attempt as a flat [name, value, …] array (specification, "Delivery rules"). It is signed
 * with each of `secrets`, the newest first. `signedAtSeconds` is Unix time. Throws for a malformed secret.
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
