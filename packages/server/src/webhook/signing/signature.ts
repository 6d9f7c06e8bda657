import { createHmac } from 'node:crypto'

const secretForm = /^whsec_[\da-fA-F]{64}$/

/**
 * The text of X-Service-Signature: `t=<unix seconds>,v1=<hex>`, with one v1 for each of `secrets` in their order
 * (specification, "Signature"). It is what the verifier's `sign` gives, made at once: that one works wherever there is
 * WebCrypto, whose detour through other threads costs more than all the rest of a delivery. Throws for a malformed secret.
 */
export function signatureHeader(body: string, secrets: readonly string[], timestampSeconds: number): string {
  const parts = secrets.map((secret) => `,v1=${macOf(secret, `${timestampSeconds}.${body}`)}`)
  return `t=${timestampSeconds}${parts.join('')}`
}

function macOf(secret: string, payload: string): string {
  if (!secretForm.test(secret)) throw new Error('a signing secret is not whsec_ and 64 hexadecimal characters')
  return createHmac('sha256', secret).update(payload).digest('hex')
}
