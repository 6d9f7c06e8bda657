import { createHmac } from 'node:crypto'

const secretForm = /^whsec_[\da-fA-F]{64}$/

/**
 * Returns the value of X-Service-Signature: `t=<unix seconds>,v1=<hex>`, with one v1 for each of `secrets` in their order
 * (specification, "Signature"). It equals the result of the verifier's `sign`, which uses WebCrypto: its switch between
 * threads costs more than the rest of a delivery. Throws for a malformed secret.
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
