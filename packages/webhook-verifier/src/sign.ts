import { bodyBytes, type RawBody } from './body.ts'
import { refuse } from './error.ts'
import { hmacHex, signedPayload } from './hmac.ts'
import { secretList } from './secrets.ts'
import { timestampForm } from './signature-header.ts'

/**
 * Returns the value of X-Service-Signature for one attempt: `t=<unix seconds>,v1=<hex>`, with one v1 for each secret in
 * order (specification, "Signature"). Sign each attempt again, because receivers reject a `t` older than 5 minutes.
 *
 * @param rawBody the bytes that will be sent
 * @param secret one signing secret, or several while a rotation overlaps
 * @param timestampSeconds the time of this attempt in whole Unix seconds
 * @throws WebhookVerificationError malformed_secret, raw_body_required or malformed_timestamp
 */
export async function sign(
  rawBody: RawBody,
  secret: string | readonly string[],
  timestampSeconds: number = Math.floor(Date.now() / 1000),
): Promise<string> {
  const timestamp = `${timestampSeconds}`
  if (!timestampForm.test(timestamp)) refuse('malformed_timestamp')
  const payload = signedPayload(timestamp, bodyBytes(rawBody, Number.MAX_VALUE))
  const macs = await Promise.all(secretList(secret).map((one) => hmacHex(one, payload)))
  return [`t=${timestamp}`, ...macs.map((mac) => `v1=${mac}`)].join(',')
}
