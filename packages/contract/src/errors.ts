import * as z from 'zod'
import { products, roles } from './access.ts'

/**
 * Whether the same request may be tried again: `safe` it was refused before any effect; `quota` only after a long wait;
 * `unknown` it may have had its effect, so a send may be repeated only under an Idempotency-Key; `never` it would fail again.
 */
export type RetryClass = 'safe' | 'quota' | 'unknown' | 'never'

/** The exit codes of msgctl that an error of the API can lead to. */
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

interface Entry<D extends z.ZodObject | z.ZodRecord | undefined> {
  readonly status: number
  /** The specification's words for the code. */
  readonly meaning: string
  readonly retry: RetryClass
  readonly exit: ExitClass
  readonly details: D
}

function entry(status: number, meaning: string, retry: RetryClass, exit: ExitClass): Entry<undefined>
function entry<const D extends z.ZodObject | z.ZodRecord>(
  status: number,
  meaning: string,
  retry: RetryClass,
  exit: ExitClass,
  details: D,
): Entry<D>
function entry(
  status: number,
  meaning: string,
  retry: RetryClass,
  exit: ExitClass,
  details?: z.ZodObject | z.ZodRecord,
): Entry<z.ZodObject | z.ZodRecord | undefined> {
  return { status, meaning, retry, exit, details }
}

const seconds = z.int().min(0)
const retryAfterSeconds = seconds.describe('Whole seconds to wait, equal to the Retry-After header.')
const wait = z.object({ retryAfterSeconds })
const maybeWait = z.object({ retryAfterSeconds: retryAfterSeconds.optional() })
const outcome = {
  messageId: z.uuid().optional().describe('The message row of this send, when one exists.'),
  outcome: z
    .enum(['not_sent', 'unknown'])
    .optional()
    .describe('On a send: whether the message certainly did not go out, or may have.'),
  reason: z.string().optional().describe('Why, as one stable word, when there is more to say.'),
}
const sendOutcome = z.object({ ...outcome, retryAfterSeconds: retryAfterSeconds.optional() })
const waitOrOutcome = sendOutcome
const fieldMessages = z.record(z.string(), z.array(z.string())).describe('Bad field name to its messages.')
const authReason = z.object({
  reason: z
    .enum(['missing_credentials', 'invalid_api_key', 'invalid_session', 'invalid_credentials'])
    .describe('What is wrong with the credentials; invalid_credentials only at sign-in.'),
})
const productsMissing = z.object({
  products: z.array(z.enum(products)).describe('The products of which one would unlock the call.'),
})
const rolesNeeded = z.object({ roles: z.array(z.enum(roles)).describe('The roles that may make the call.') })
const organizationRate = z.object({
  scope: z.literal('organization').describe('All keys of the organization share the limit.'),
  retryAfterSeconds,
  limitPerMinute: z.int().describe('Changes a minute the organization may make.'),
})
const otpRate = z.object({
  scope: z.enum(['phone', 'organization']).describe('Which limit was reached.'),
  retryAfterSeconds,
})
const trialLimit = z.object({
  limit: z.int().describe('Messages a UTC day on the free trial.'),
  used: z.int().describe('Messages counted today.'),
  requested: z.int().describe('Messages this call wanted to send.'),
  retryAfterSeconds,
  resetsAt: z.iso.datetime().describe('When the day ends and the count starts anew.'),
})
const conflictReason = z.object({
  reason: z.string().optional().describe('Which conflict, as one stable word, e.g. idempotency_mismatch.'),
  retryAfterSeconds: retryAfterSeconds.optional(),
})
const numberLimit = z.object({
  max: z.int().describe('Numbers the organization may have.'),
  used: z.int().describe('Numbers it has.'),
  included: z.int().describe('Numbers its products include.'),
  extra: z.int().describe('Numbers bought on top.'),
  capped: z.boolean().describe('Whether a limit applies at all.'),
})
const invalidNumbersListed = z.object({
  invalidNumbers: z.array(z.string()).describe('The numbers that are not on the network.'),
})
const invalidNumbers = z.object({
  invalidNumbers: z.array(z.string()).optional().describe('The numbers that are not on the network, for a batch.'),
})
const attempts = z.object({ attemptsRemaining: z.int().describe('Tries left for this code.') })
const forbiddenReason = z.object({
  reason: z.string().optional().describe('Why the action is not allowed, as one stable word.'),
  status: z.string().optional().describe('The state that forbids it.'),
  windowSeconds: seconds.optional().describe('How long after sending the action is possible.'),
  ageSeconds: seconds.optional().describe('How long ago the message was sent.'),
})
const fileSize = z.object({ maxBytes: z.int().describe('The largest size of this kind of file, in bytes.') })
const bodySize = z.object({ maxBytes: z.int().describe('The largest body this route takes, in bytes.') })
const campaignState = z.object({ status: z.string().describe('The state the campaign is in.') })
const inUse = z.object({ usedBy: z.string().describe('What still uses it, e.g. campaign or send_group.') })

/** Every error code: HTTP status, meaning, retry class, exit class and the schema of its details (specification, "Errors"). */
export const errors = {
  VALIDATION_ERROR: entry(400, 'validation failed', 'never', 'usage', fieldMessages),
  INVALID_JSON: entry(400, 'body is invalid JSON', 'never', 'usage'),
  INVALID_ID: entry(400, 'invalid identifier', 'never', 'usage'),
  PAYLOAD_TOO_LARGE: entry(413, 'request too large', 'never', 'usage', bodySize),
  FILE_TOO_LARGE: entry(413, 'file too large', 'never', 'usage'),
  ROUTE_NOT_FOUND: entry(404, 'route does not exist', 'never', 'notFound'),
  NOT_FOUND: entry(404, 'not found', 'never', 'notFound'),
  CONFLICT: entry(409, 'resource already exists', 'never', 'conflict', conflictReason),
  REFERENCE_ERROR: entry(400, 'referenced resource missing', 'never', 'usage'),
  IN_USE: entry(409, 'still used elsewhere', 'never', 'conflict', inUse),
  CONSTRAINT_VIOLATION: entry(400, 'data constraint violated', 'never', 'usage'),
  FORBIDDEN_ACTION: entry(400, 'action not allowed', 'never', 'conflict', forbiddenReason),
  RATE_LIMIT: entry(429, 'too many requests', 'safe', 'quota', wait),
  RATE_LIMITED: entry(429, 'organization sends too many changes', 'safe', 'quota', organizationRate),
  AUTH_ERROR: entry(401, 'authentication required', 'never', 'auth', authReason),
  TOO_MANY_LOGIN_ATTEMPTS: entry(429, 'too many wrong passwords', 'quota', 'quota', wait),
  ACCOUNT_DEACTIVATED: entry(403, 'account deactivated', 'never', 'forbidden'),
  OAUTH_TOKEN_SCOPE: entry(403, 'an AI-client connection token works only on the MCP endpoint', 'never', 'forbidden'),
  OAUTH_REQUEST_INVALID: entry(400, 'AI-client request expired or answered', 'never', 'usage'),
  NUMBER_KEY_SCOPE: entry(403, 'per-number key used outside its number', 'never', 'forbidden'),
  USER_REQUIRED: entry(403, 'needs a signed-in dashboard user', 'never', 'forbidden'),
  WRONG_PASSWORD: entry(400, 'password incorrect', 'never', 'usage'),
  NO_PASSWORD_SET: entry(400, 'no password set', 'never', 'usage'),
  INVALID_LINK: entry(400, 'link expired or used', 'never', 'usage'),
  SIGNUP_DISABLED: entry(403, 'sign-up closed', 'never', 'forbidden'),
  TWO_FACTOR_REQUIRED: entry(403, 'organization requires two-step sign-in', 'never', 'forbidden'),
  TWO_FACTOR_CODE_INVALID: entry(400, 'wrong two-step code', 'never', 'usage'),
  TWO_FACTOR_CHALLENGE_EXPIRED: entry(400, 'sign-in expired', 'never', 'usage'),
  TWO_FACTOR_SETUP_EXPIRED: entry(400, 'set-up expired', 'never', 'usage'),
  TWO_FACTOR_ALREADY_ENABLED: entry(409, 'already on', 'never', 'conflict'),
  TWO_FACTOR_NOT_ENABLED: entry(409, 'not on', 'never', 'conflict'),
  TWO_FACTOR_OWNER_FIRST: entry(409, 'owner must enable first', 'never', 'conflict'),
  TWO_FACTOR_UNAVAILABLE: entry(503, 'unavailable on server', 'never', 'down'),
  COUNTRY_LOCKED: entry(409, 'country cannot change after payment', 'never', 'conflict'),
  PRODUCT_REQUIRED: entry(403, 'feature not in the products', 'never', 'forbidden', productsMissing),
  NO_ACTIVE_PRODUCT: entry(403, 'no active product', 'never', 'forbidden', productsMissing),
  ADMIN_ONLY: entry(403, 'platform admin only', 'never', 'forbidden'),
  ROLE_FORBIDDEN: entry(403, 'role does not allow it', 'never', 'forbidden', rolesNeeded),
  ADMIN_CANNOT_DELETE: entry(403, 'platform admin organization cannot be deleted', 'never', 'forbidden'),
  INVITE_INVALID: entry(400, 'invitation expired, cancelled or used', 'never', 'usage'),
  INVITE_EMAIL_MISMATCH: entry(403, 'invitation sent to another address', 'never', 'forbidden'),
  ALREADY_MEMBER: entry(409, 'already in the team', 'never', 'conflict'),
  TEAM_FULL: entry(409, 'team full', 'never', 'conflict'),
  OWNER_ROLE_FIXED: entry(409, 'owner stays owner', 'never', 'conflict'),
  CANNOT_REMOVE_OWNER: entry(409, 'owner cannot be removed', 'never', 'conflict'),
  OWNER_CANNOT_LEAVE: entry(409, 'owner cannot leave', 'never', 'conflict'),
  LAST_ORGANIZATION: entry(409, 'only organization', 'never', 'conflict'),
  NOT_OWNER: entry(403, 'only the owner', 'never', 'forbidden'),
  ALREADY_OWNER: entry(409, 'already owner', 'never', 'conflict'),
  OWNS_ORGANIZATION: entry(409, 'owns an organization', 'never', 'conflict'),
  USE_LEAVE: entry(400, 'use leave instead', 'never', 'usage'),
  TOO_MANY_ORGANIZATIONS: entry(409, 'up to 10 owned organizations', 'never', 'conflict'),
  NO_SESSION_CONFIGURED: entry(400, 'no connected number', 'never', 'conflict'),
  SESSION_NOT_CONNECTED: entry(409, 'number not connected', 'never', 'conflict'),
  CONTAINER_NOT_FOUND: entry(404, 'number not found', 'never', 'notFound'),
  NUMBER_LIMIT_REACHED: entry(
    403,
    'all allowed numbers used (Developer and Connect include 3)',
    'never',
    'forbidden',
    numberLimit,
  ),
  PORT_EXHAUSTED: entry(503, 'no room for a new number', 'never', 'down'),
  NUMBER_NOT_ON_NETWORK: entry(400, 'number not on the network', 'never', 'usage', invalidNumbers),
  NO_VALID_NUMBERS: entry(400, 'none of the numbers on the network', 'never', 'usage', invalidNumbersListed),
  NUMBER_ON_OTHER_ASSISTANT: entry(409, 'number answers for another active assistant', 'never', 'conflict'),
  SECRETS_KEY_MISSING: entry(503, 'server encryption key missing', 'never', 'down'),
  NUMBER_VALIDATION_UNAVAILABLE: entry(503, 'numbers cannot be checked now', 'safe', 'down', maybeWait),
  OTP_EXPIRED: entry(410, 'code expired', 'never', 'conflict'),
  OTP_ALREADY_VERIFIED: entry(400, 'already verified', 'never', 'conflict'),
  OTP_MAX_ATTEMPTS: entry(429, 'attempts exceeded', 'never', 'quota'),
  OTP_INVALID_CODE: entry(400, 'wrong code', 'never', 'usage', attempts),
  OTP_RATE_LIMITED: entry(429, 'too many codes', 'quota', 'quota', otpRate),
  OTP_TEMPLATE_MISSING_CODE: entry(400, 'template lacks {{code}}', 'never', 'usage'),
  MESSAGE_NOT_FOUND: entry(404, 'no such message for this account', 'never', 'notFound'),
  MESSAGE_NOT_SENT: entry(409, 'only sent messages can be edited or deleted', 'never', 'conflict'),
  MESSAGE_WRONG_NUMBER: entry(403, 'message sent from another number', 'never', 'forbidden'),
  CAMPAIGN_INVALID_STATE: entry(400, 'campaign state forbids it', 'never', 'conflict', campaignState),
  STAFF_PHONE_LIMIT: entry(409, 'up to 10 order phones', 'never', 'conflict'),
  STAFF_PHONE_IS_BUSINESS: entry(400, 'business number given as staff phone', 'never', 'usage'),
  WEBHOOK_SIGNING_UNAVAILABLE: entry(503, 'signing unavailable on server', 'never', 'down'),
  ATTACHMENT_NOT_FOUND: entry(404, 'message or attachment missing', 'never', 'notFound'),
  ATTACHMENT_EXPIRED: entry(410, 'file no longer available', 'never', 'conflict'),
  ATTACHMENT_TOO_LARGE: entry(413, 'file too large to open', 'never', 'usage'),
  ATTACHMENT_UNSUPPORTED: entry(415, 'file kind cannot be opened', 'never', 'usage'),
  TRANSCRIPTION_UNAVAILABLE: entry(503, 'speech-to-text not enabled', 'never', 'down'),
  SEND_FILE_TOO_LARGE: entry(413, 'file too large to send', 'never', 'usage', fileSize),
  SEND_FILE_TYPE_NOT_ALLOWED: entry(
    415,
    'allowed: photos, PDFs, Office files, text and CSV, voice notes, audio, MP4 video',
    'never',
    'usage',
  ),
  SEND_FILE_URL_UNREACHABLE: entry(422, 'link cannot be fetched; use a public https link', 'never', 'usage'),
  GATEWAY_ERROR: entry(502, 'the network could not complete the request', 'unknown', 'down', sendOutcome),
  GATEWAY_SESSION_ERROR: entry(503, 'number not connected to the network', 'safe', 'down', sendOutcome),
  GATEWAY_UNREACHABLE: entry(503, 'network service unreachable', 'safe', 'down', sendOutcome),
  UPSTREAM_TIMEOUT: entry(504, 'a dependency timed out', 'unknown', 'down', sendOutcome),
  AI_UNAVAILABLE: entry(503, 'AI service unavailable', 'safe', 'down'),
  AI_BUSY: entry(503, 'AI service busy', 'safe', 'down'),
  SERVICE_BUSY: entry(503, 'service busy', 'safe', 'down', waitOrOutcome),
  AI_QUOTA_EXCEEDED: entry(402, 'monthly AI allowance used up; renews on the 1st', 'quota', 'quota'),
  TRIAL_LIMIT_REACHED: entry(429, 'free trial daily limit', 'quota', 'quota', trialLimit),
  PAYMENT_NOT_CONFIGURED: entry(503, 'card payment unavailable', 'never', 'down'),
  PAYMENT_NO_SUBSCRIPTION: entry(404, 'no card payment to manage', 'never', 'notFound'),
  PAYMENT_UNAVAILABLE: entry(502, 'payment service did not answer', 'unknown', 'down'),
  PAYMENT_SIGNATURE_INVALID: entry(401, 'invalid or expired payment signature', 'never', 'auth'),
  PAYMENT_CHANGE_REFUSED: entry(409, 'change refused', 'never', 'conflict'),
  PAYMENT_NOTHING_TO_RESUME: entry(409, 'subscription not set to stop', 'never', 'conflict'),
  PAYMENT_PERIOD_UNAVAILABLE: entry(409, 'billing period not offered', 'never', 'conflict'),
  PAYMENT_SAME_PERIOD: entry(409, 'already billed this way', 'never', 'conflict'),
  INVOICE_NOT_AVAILABLE: entry(404, 'no receipt for this payment', 'never', 'notFound'),
  INTERNAL_ERROR: entry(500, 'unexpected error', 'unknown', 'unexpected', sendOutcome),
} as const

/** A code of the catalogue. Codes are never renamed or removed; clients must tolerate new ones. */
export type ErrorCode = keyof typeof errors

/** The `details` of one code; codes without a schema carry none. */
export type Details<C extends ErrorCode> = (typeof errors)[C]['details'] extends infer S extends z.ZodType
  ? z.output<S>
  : undefined
