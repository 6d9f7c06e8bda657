/** The error codes of OAuth that clients read (RFC 6749, 7591, 7009, 8707). */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'temporarily_unavailable'

const statuses: Partial<Record<OAuthCode, number>> = { invalid_client: 401, temporarily_unavailable: 503 }

/** An error of the OAuth routes, in the form of its RFCs. */
export class OAuthError extends Error {
  readonly code: OAuthCode
  readonly status: number

  constructor(code: OAuthCode, message: string) {
    super(message)
    this.code = code
    this.status = statuses[code] ?? 400
  }
}
