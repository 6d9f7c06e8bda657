/** The message of each refusal: what is wrong, and how to fix it. No message contains a secret or part of the body. */
export const refusals = {
  missing_header: 'No X-Service-Signature header.',
  unsigned: 'Unsigned.',
  malformed_header: 'X-Service-Signature must be t=<unix seconds>,v1=<hex>.',
  duplicate_timestamp: 'Two t.',
  malformed_timestamp: 't must be seconds.',
  timestamp_too_old: 't is too old for this clock.',
  timestamp_too_new: 't is too new for this clock.',
  no_matching_signature: 'No v1 matches this secret and raw body.',
  malformed_secret: 'The secret must be whsec_ and 64 hex characters.',
  raw_body_required:
    'Pass the raw body. Express: express.raw({type:"*/*"}). Fastify: parseAs "buffer". Koa: no ' +
    'bodyparser. NestJS: rawBody. Next, Hono: request.text(). Lambda: body.',
  body_too_large: 'The body exceeds maxBodyBytes.',
  body_incomplete: 'The body ended.',
  invalid_json: 'Not JSON.',
  invalid_event: 'The body must hold event, data and timestamp.',
}

/**
 * Why a request was rejected. Values are never renamed or removed; new ones may appear.
 *
 * - `missing_header`: the request has none of the service's headers.
 * - `unsigned`: a delivery without a signature.
 * - `malformed_header`: the signature header has another form, or no `t` or no `v1`.
 * - `duplicate_timestamp`: more than one `t`.
 * - `malformed_timestamp`: `t` is not a plain decimal number of seconds.
 * - `timestamp_too_old`, `timestamp_too_new`: `t` is further from the receiver's clock than the tolerance.
 * - `no_matching_signature`: no `v1` matches any of the secrets and this body.
 * - `malformed_secret`: the receiver's signing secret does not have the form of one.
 * - `raw_body_required`: the receiver passed a parsed body, or the body was read before.
 * - `body_too_large`, `body_incomplete`: the body is longer than `maxBodyBytes`, or it ended early.
 * - `invalid_json`, `invalid_event`: the signature is valid, but the body is not an event.
 */
export type RefusalReason = keyof typeof refusals

/** Every error of this package. Branch on `reason`, not on `message`. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(refusals[reason])
    this.reason = reason
  }
}

/** @throws WebhookVerificationError always */
export function refuse(reason: RefusalReason): never {
  throw new WebhookVerificationError(reason)
}
