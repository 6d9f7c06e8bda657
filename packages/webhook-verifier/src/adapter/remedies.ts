import type { RefusalReason } from '../error.ts'

/**
 * What to do about each refusal, for the log of the receiver. Adapters carry these texts, so that the core stays small.
 */
export const remedies: Readonly<Record<RefusalReason, string>> = {
  missing_header: 'The request is not from the service, or a proxy removes its headers.',
  unsigned:
    'The service has no encryption keys. Set SECRETS_KEYS there, or pass allowUnsigned if anyone may send events.',
  malformed_header: 'The request is not from the service, or a proxy changes its headers.',
  duplicate_timestamp: 'The request is not from the service, or a proxy joins headers.',
  malformed_timestamp: 'The request is not from the service.',
  timestamp_too_old: 'Check the clock of this machine, and that nothing holds requests back.',
  timestamp_too_new: 'Check the clock of this machine: it is behind.',
  no_matching_signature:
    'Either the secret is another one (compare it with msgctl webhook show --show-secret; each endpoint has ' +
    'its own), or the body was changed on its way: by a body parser, or by a proxy ' +
    'that unpacks or reformats it.',
  malformed_secret: 'Copy the secret from msgctl webhook show --show-secret.',
  raw_body_required: 'Something read the body before this adapter: put it in front of body parsers.',
  body_too_large: 'Events are smaller; raise maxBodyBytes only for another sender.',
  body_incomplete: 'The connection ended early; the service sends the event again.',
  invalid_json: 'The signature is valid: this is a bug of the sender.',
  invalid_event: 'The signature is valid: this is a bug of the sender.',
}
