/**
 * The facts of every error code. Clients include this file at run time, so it has no dependencies.
 * Codes are never renamed or removed, and new ones may appear (specification, "Errors").
 */

/**
 * Whether the same request can be retried. `safe`: it was rejected before it had any effect. `quota`: only after a long
 * wait. `unknown`: it may have had its effect, so repeat a send only with an Idempotency-Key. `never`: it would fail
 * again.
 */
export type RetryClass = 'safe' | 'quota' | 'unknown' | 'never'

/** The exit codes of msgctl for errors of the API. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  forbidden: 5,
  quota: 6,
  conflict: 7,
  down: 8,
} as const
export type ExitClass = keyof typeof exitCodes

/** One code: its HTTP status, whether the request can be retried, and the exit class of msgctl. */
export interface ErrorFacts {
  readonly status: number
  readonly retry: RetryClass
  readonly exit: ExitClass
}

function row<S extends number, R extends RetryClass, X extends ExitClass>(status: S, retry: R, exit: X) {
  return { status, retry, exit } as const
}

/** Every code: those of the specification in the order of its table, then our own. */
export const errorTable = {
  VALIDATION_ERROR: row(400, 'never', 'usage'),
  INVALID_JSON: row(400, 'never', 'usage'),
  INVALID_ID: row(400, 'never', 'usage'),
  PAYLOAD_TOO_LARGE: row(413, 'never', 'usage'),
  FILE_TOO_LARGE: row(413, 'never', 'usage'),
  ROUTE_NOT_FOUND: row(404, 'never', 'notFound'),
  NOT_FOUND: row(404, 'never', 'notFound'),
  CONFLICT: row(409, 'never', 'conflict'),
  REFERENCE_ERROR: row(400, 'never', 'usage'),
  IN_USE: row(409, 'never', 'conflict'),
  CONSTRAINT_VIOLATION: row(400, 'never', 'usage'),
  FORBIDDEN_ACTION: row(400, 'never', 'conflict'),
  RATE_LIMIT: row(429, 'safe', 'quota'),
  RATE_LIMITED: row(429, 'safe', 'quota'),
  AUTH_ERROR: row(401, 'never', 'auth'),
  TOO_MANY_LOGIN_ATTEMPTS: row(429, 'quota', 'quota'),
  ACCOUNT_DEACTIVATED: row(403, 'never', 'forbidden'),
  OAUTH_TOKEN_SCOPE: row(403, 'never', 'forbidden'),
  OAUTH_REQUEST_INVALID: row(400, 'never', 'usage'),
  NUMBER_KEY_SCOPE: row(403, 'never', 'forbidden'),
  USER_REQUIRED: row(403, 'never', 'forbidden'),
  WRONG_PASSWORD: row(400, 'never', 'usage'),
  NO_PASSWORD_SET: row(400, 'never', 'usage'),
  INVALID_LINK: row(400, 'never', 'usage'),
  SIGNUP_DISABLED: row(403, 'never', 'forbidden'),
  TWO_FACTOR_REQUIRED: row(403, 'never', 'forbidden'),
  TWO_FACTOR_CODE_INVALID: row(400, 'never', 'usage'),
  TWO_FACTOR_CHALLENGE_EXPIRED: row(400, 'never', 'usage'),
  TWO_FACTOR_SETUP_EXPIRED: row(400, 'never', 'usage'),
  TWO_FACTOR_ALREADY_ENABLED: row(409, 'never', 'conflict'),
  TWO_FACTOR_NOT_ENABLED: row(409, 'never', 'conflict'),
  TWO_FACTOR_OWNER_FIRST: row(409, 'never', 'conflict'),
  TWO_FACTOR_UNAVAILABLE: row(503, 'never', 'down'),
  COUNTRY_LOCKED: row(409, 'never', 'conflict'),
  PRODUCT_REQUIRED: row(403, 'never', 'forbidden'),
  NO_ACTIVE_PRODUCT: row(403, 'never', 'forbidden'),
  ADMIN_ONLY: row(403, 'never', 'forbidden'),
  ROLE_FORBIDDEN: row(403, 'never', 'forbidden'),
  ADMIN_CANNOT_DELETE: row(403, 'never', 'forbidden'),
  INVITE_INVALID: row(400, 'never', 'usage'),
  INVITE_EMAIL_MISMATCH: row(403, 'never', 'forbidden'),
  ALREADY_MEMBER: row(409, 'never', 'conflict'),
  TEAM_FULL: row(409, 'never', 'conflict'),
  OWNER_ROLE_FIXED: row(409, 'never', 'conflict'),
  CANNOT_REMOVE_OWNER: row(409, 'never', 'conflict'),
  OWNER_CANNOT_LEAVE: row(409, 'never', 'conflict'),
  LAST_ORGANIZATION: row(409, 'never', 'conflict'),
  NOT_OWNER: row(403, 'never', 'forbidden'),
  ALREADY_OWNER: row(409, 'never', 'conflict'),
  OWNS_ORGANIZATION: row(409, 'never', 'conflict'),
  USE_LEAVE: row(400, 'never', 'usage'),
  TOO_MANY_ORGANIZATIONS: row(409, 'never', 'conflict'),
  NO_SESSION_CONFIGURED: row(400, 'never', 'conflict'),
  SESSION_NOT_CONNECTED: row(409, 'never', 'conflict'),
  CONTAINER_NOT_FOUND: row(404, 'never', 'notFound'),
  NUMBER_LIMIT_REACHED: row(403, 'never', 'forbidden'),
  PORT_EXHAUSTED: row(503, 'never', 'down'),
  NUMBER_NOT_ON_NETWORK: row(400, 'never', 'usage'),
  NO_VALID_NUMBERS: row(400, 'never', 'usage'),
  NUMBER_ON_OTHER_ASSISTANT: row(409, 'never', 'conflict'),
  SECRETS_KEY_MISSING: row(503, 'never', 'down'),
  NUMBER_VALIDATION_UNAVAILABLE: row(503, 'safe', 'down'),
  OTP_EXPIRED: row(410, 'never', 'conflict'),
  OTP_ALREADY_VERIFIED: row(400, 'never', 'conflict'),
  OTP_MAX_ATTEMPTS: row(429, 'never', 'quota'),
  OTP_INVALID_CODE: row(400, 'never', 'usage'),
  OTP_RATE_LIMITED: row(429, 'quota', 'quota'),
  OTP_TEMPLATE_MISSING_CODE: row(400, 'never', 'usage'),
  MESSAGE_NOT_FOUND: row(404, 'never', 'notFound'),
  MESSAGE_NOT_SENT: row(409, 'never', 'conflict'),
  MESSAGE_WRONG_NUMBER: row(403, 'never', 'forbidden'),
  CAMPAIGN_INVALID_STATE: row(400, 'never', 'conflict'),
  STAFF_PHONE_LIMIT: row(409, 'never', 'conflict'),
  STAFF_PHONE_IS_BUSINESS: row(400, 'never', 'usage'),
  WEBHOOK_SIGNING_UNAVAILABLE: row(503, 'never', 'down'),
  ATTACHMENT_NOT_FOUND: row(404, 'never', 'notFound'),
  ATTACHMENT_EXPIRED: row(410, 'never', 'conflict'),
  ATTACHMENT_TOO_LARGE: row(413, 'never', 'usage'),
  ATTACHMENT_UNSUPPORTED: row(415, 'never', 'usage'),
  TRANSCRIPTION_UNAVAILABLE: row(503, 'never', 'down'),
  SEND_FILE_TOO_LARGE: row(413, 'never', 'usage'),
  SEND_FILE_TYPE_NOT_ALLOWED: row(415, 'never', 'usage'),
  SEND_FILE_URL_UNREACHABLE: row(422, 'never', 'usage'),
  GATEWAY_ERROR: row(502, 'unknown', 'down'),
  GATEWAY_SESSION_ERROR: row(503, 'safe', 'down'),
  GATEWAY_UNREACHABLE: row(503, 'safe', 'down'),
  UPSTREAM_TIMEOUT: row(504, 'unknown', 'down'),
  AI_UNAVAILABLE: row(503, 'unknown', 'down'),
  AI_BUSY: row(503, 'unknown', 'down'),
  SERVICE_BUSY: row(503, 'safe', 'down'),
  AI_QUOTA_EXCEEDED: row(402, 'quota', 'quota'),
  TRIAL_LIMIT_REACHED: row(429, 'quota', 'quota'),
  PAYMENT_NOT_CONFIGURED: row(503, 'never', 'down'),
  PAYMENT_NO_SUBSCRIPTION: row(404, 'never', 'notFound'),
  PAYMENT_UNAVAILABLE: row(502, 'unknown', 'down'),
  PAYMENT_SIGNATURE_INVALID: row(401, 'never', 'auth'),
  PAYMENT_CHANGE_REFUSED: row(409, 'never', 'conflict'),
  PAYMENT_NOTHING_TO_RESUME: row(409, 'never', 'conflict'),
  PAYMENT_PERIOD_UNAVAILABLE: row(409, 'never', 'conflict'),
  PAYMENT_SAME_PERIOD: row(409, 'never', 'conflict'),
  INVOICE_NOT_AVAILABLE: row(404, 'never', 'notFound'),
  INTERNAL_ERROR: row(500, 'unknown', 'unexpected'),
  // From here on, codes of our own.
  ORIGIN_REFUSED: row(403, 'never', 'forbidden'),
  ORGANIZATION_MOVED: row(421, 'never', 'forbidden'),
  KEY_SCOPE: row(403, 'never', 'forbidden'),
} as const satisfies Record<string, ErrorFacts>

/** A code of the catalogue. Clients must tolerate newer codes. */
export type ErrorCode = keyof typeof errorTable

/** Returns the facts of `code`, or undefined for a code that is newer than this table. */
export function findErrorFacts(code: string): ErrorFacts | undefined {
  return Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode] : undefined
}
