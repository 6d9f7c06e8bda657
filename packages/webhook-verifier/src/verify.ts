import { bodyBytes, defaultMaxBodyBytes, type RawBody } from './body.ts'
import { refuse } from './error.ts'
import type { VerifiedEvent } from './events.ts'
import { headerValue, type WebhookHeaders } from './headers.ts'
import { equalMacs, hmacHex, signedPayload } from './hmac.ts'
import { readEvent } from './read-event.ts'
import { anySecretMatches, secretList, type WebhookSecret } from './secrets.ts'
import { parseSignatureHeader, type SignatureHeader } from './signature-header.ts'

/** The options of `verify`. */
export interface VerifyOptions {
  /** The largest difference between `t` and the clock, in seconds (default: 300; specification, "Signature"). */
  readonly toleranceSeconds?: number | undefined
  /** The clock, in Unix milliseconds (default: `Date.now`). */
  readonly now?: (() => number) | undefined
  /** Accepts requests without a signature, which anyone can send. Only for a service without encryption set up. */
  readonly allowUnsigned?: boolean | undefined
  /** The largest accepted body, in bytes (default: 1 MiB). */
  readonly maxBodyBytes?: number | undefined
}

/**
 * Verifies one delivery and returns its event (specification, "Events"). It checks signature and age over the body
 * exactly as received, and only then parses the body.
 *
 * @param rawBody the body as received, not parsed and serialized again
 * @param context the argument of a `secret` that is a function
 * @throws WebhookVerificationError with a `reason`; TypeError for an invalid tolerance; the errors of a secret source
 */
export async function verify<Context = unknown>(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: WebhookSecret<Context>,
  options: VerifyOptions = {},
  context?: Context,
): Promise<VerifiedEvent> {
  const tolerance = options.toleranceSeconds ?? 300
  if (typeof tolerance !== 'number' || !(tolerance >= 0 && tolerance < maxToleranceSeconds))
    throw new TypeError('toleranceSeconds must be a number of seconds.')
  const body = bodyBytes(rawBody, options.maxBodyBytes ?? defaultMaxBodyBytes)
  const header = headerValue(headers, 'x-service-signature')
  if (!header) {
    if (options.allowUnsigned) return readEvent(body, headers, null)
    return refuse(headerValue(headers, 'x-service-event') ? 'unsigned' : 'missing_header')
  }
  const { timestamp, signatures } = parseSignatureHeader(header)
  const nowMs = (options.now ?? Date.now)()
  checkAge(Number(timestamp), Math.floor(nowMs / 1000), tolerance)
  const payload = signedPayload(timestamp, body)
  const matches = (secrets: readonly string[]) => matchedMac(secrets, payload, signatures)
  const mac = await (typeof secret === 'function'
    ? anySecretMatches(secret, context as Context, nowMs, matches)
    : matches(secretList(secret)))
  if (!mac) refuse('no_matching_signature')
  // The payload is a copy, so that its bytes cannot change between the check and the parsing.
  return readEvent(payload.subarray(timestamp.length + 1), headers, mac)
}

/** More would accept recorded requests for ever. */
const maxToleranceSeconds = 1e6

/** Checks the age. A clock that is not a number rejects every request. */
function checkAge(timestamp: number, nowSeconds: number, toleranceSeconds: number): void {
  if (!(nowSeconds - timestamp <= toleranceSeconds)) refuse('timestamp_too_old')
  if (!(timestamp - nowSeconds <= toleranceSeconds)) refuse('timestamp_too_new')
}

/**
 * Compares every secret with every v1, also after a match, so that the time does not reveal which one matches. Returns
 * the MAC by the first secret when one matches.
 */
async function matchedMac(
  secrets: readonly string[],
  payload: Uint8Array<ArrayBuffer>,
  signatures: SignatureHeader['signatures'],
): Promise<string | undefined> {
  let matched: string | undefined
  let first: string | undefined
  for (const secret of secrets) {
    const mac = await hmacHex(secret, payload)
    first ??= mac
    for (const signature of signatures) if (equalMacs(mac, signature)) matched = first
  }
  return matched
}
