import { bodyBytes, defaultMaxBodyBytes, type RawBody } from './body.ts'
import { refuse } from './error.ts'
import type { VerifiedEvent } from './events.ts'
import { headerValue, type WebhookHeaders } from './headers.ts'
import { equalMacs, hmacHex, signedPayload } from './hmac.ts'
import { readEvent } from './read-event.ts'
import { anySecretMatches, secretList, type WebhookSecret } from './secrets.ts'
import { parseSignatureHeader, type SignatureHeader } from './signature-header.ts'

/** How strict `verify` is. Every field has the specification's default. */
export interface VerifyOptions {
  /** How far `t` may be from the clock, to either side. Default 300 seconds (specification, "Signature"). */
  readonly toleranceSeconds?: number | undefined
  /** The clock, in Unix milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined
  /** Accept a request without a signature, which anyone can send. Only for a service without encryption set up. */
  readonly allowUnsigned?: boolean | undefined
  /** The longest body accepted, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/**
 * Verifies one delivery and answers its event (specification, "Events"). The signature and the age are checked over the
 * body exactly as received; the body is parsed after that.
 *
 * @param rawBody the body as received, not parsed and not serialised again
 * @throws WebhookVerificationError with a `reason`; whatever a secret source throws
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<VerifiedEvent> {
  const body = bodyBytes(rawBody, options.maxBodyBytes ?? defaultMaxBodyBytes)
  const header = headerValue(headers, 'x-service-signature')
  if (header) return readEvent(await authenticate(body, header, secret, options), headers)
  if (options.allowUnsigned) return readEvent(body, headers)
  return refuse(headerValue(headers, 'x-service-event') ? 'unsigned' : 'missing_header')
}

/** The bytes that carry a valid signature: a copy, so that nobody changes them between the check and the parsing. */
async function authenticate(body: Uint8Array, header: string, secret: WebhookSecret, options: VerifyOptions) {
  const { timestamp, signatures } = parseSignatureHeader(header)
  const nowMs = (options.now ?? Date.now)()
  checkAge(Number(timestamp), Math.floor(nowMs / 1000), options.toleranceSeconds ?? 300)
  const payload = signedPayload(timestamp, body)
  const matches = (secrets: readonly string[]) => anyMacEquals(secrets, payload, signatures)
  const matched = await (typeof secret === 'function'
    ? anySecretMatches(secret, nowMs, matches)
    : matches(secretList(secret)))
  return matched ? payload.subarray(timestamp.length + 1) : refuse('no_matching_signature')
}

/** Written so that a clock or a tolerance that is not a number refuses everything instead of accepting it. */
function checkAge(timestamp: number, nowSeconds: number, toleranceSeconds: number): void {
  if (nowSeconds - timestamp > toleranceSeconds) refuse('timestamp_too_old')
  if (!(timestamp - nowSeconds <= toleranceSeconds)) refuse('timestamp_too_new')
}

/** Every secret and every v1 is compared, also after a match, so that the time tells nothing about which one fits. */
async function anyMacEquals(
  secrets: readonly string[],
  payload: Uint8Array<ArrayBuffer>,
  signatures: SignatureHeader['signatures'],
): Promise<boolean> {
  let matched = false
  for (const secret of secrets) {
    const mac = await hmacHex(secret, payload)
    for (const signature of signatures) if (equalMacs(mac, signature)) matched = true
  }
  return matched
}
