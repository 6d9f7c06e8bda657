import { type Details, type ErrorCode, errors } from '../errors/errors.ts'
import { botId } from './assistants.ts'
import * as cast from './cast.ts'

/** What a response says: its message, and the details that the code has. */
type Sample<C extends ErrorCode> = readonly [message: string, details?: Details<C>]
type Samples = { readonly [C in ErrorCode]?: Sample<C> }

const maxBytes = 1024 * 1024
const { messageId } = cast.order
const wait = { retryAfterSeconds: 30 }

/** What the service says with the codes that routes return. */
const samples: Samples = {
  VALIDATION_ERROR: [
    'The request is not valid: phone must be an international number like +12025550100.',
    { phone: ['must be an international number like +12025550100'] },
  ],
  INVALID_JSON: ['The body is not valid JSON.'],
  INVALID_ID: ['id in the path must be a UUID.'],
  PAYLOAD_TOO_LARGE: [`The body is larger than ${maxBytes} bytes.`, { maxBytes }],
  ROUTE_NOT_FOUND: ['There is no route GET /nowhere.'],
  NOT_FOUND: ['There is no such campaign.'],
  CONFLICT: ['This Idempotency-Key was used with another request. Use a new key.', { reason: 'idempotency_mismatch' }],
  IN_USE: ['A campaign is sending through this number. Pause it first.', { usedBy: 'campaign' }],
  FORBIDDEN_ACTION: [
    'A message can be edited for 15 minutes after it was sent. This one is older.',
    { reason: 'window_passed', windowSeconds: 900, ageSeconds: 1260 },
  ],
  RATE_LIMIT: ['Too many requests from this address. Try again in 30 s.', wait],
  RATE_LIMITED: [
    'The organization makes more than 300 changes per minute. Try again in 1 s.',
    { scope: 'organization', retryAfterSeconds: 1, limitPerMinute: 300 },
  ],
  AUTH_ERROR: ['The X-API-Key header holds no key of this service.', { reason: 'invalid_api_key' }],
  TOO_MANY_LOGIN_ATTEMPTS: ['Too many wrong passwords. Try again in 900 s.', { retryAfterSeconds: 900 }],
  OAUTH_TOKEN_SCOPE: ['The token of an AI client works only at /mcp. Use a key or a session here.'],
  OAUTH_REQUEST_INVALID: ['This request has expired. Connect the AI client again.', { reason: 'expired' }],
  ORGANIZATION_MOVED: [
    'This organization has moved to https://b.msg.example.com. Send the request there.',
    { address: 'https://b.msg.example.com' },
  ],
  KEY_SCOPE: ['This needs the scopes read, send. Ask the person for them.', { required: 'send', scopes: ['read'] }],
  ACCOUNT_DEACTIVATED: ['This organization is deactivated. Write to the operator of the service.'],
  NUMBER_KEY_SCOPE: ['The key of a number cannot make this call. Use the account key.'],
  USER_REQUIRED: ['Only a signed-in user may do this, not an API key.'],
  WRONG_PASSWORD: ['The current password is wrong.'],
  SIGNUP_DISABLED: ['Sign-up is closed. Ask the operator of the service.'],
  PRODUCT_REQUIRED: ['The feature otp needs an active product of: developer.', { products: ['developer'] }],
  NO_ACTIVE_PRODUCT: [
    'The organization has no active product. This call needs one of: developer.',
    { products: ['developer'] },
  ],
  ROLE_FORBIDDEN: ['Your role is member; this takes owner or admin.', { roles: ['owner', 'admin'] }],
  NO_SESSION_CONFIGURED: ['The default number is not connected. GET /session/status says what to do.'],
  SESSION_NOT_CONNECTED: [
    'The number waits for its QR to be scanned; there is no link to keep.',
    { status: 'SCAN_QR_CODE' },
  ],
  CONTAINER_NOT_FOUND: ['There is no such number.'],
  NUMBER_LIMIT_REACHED: ['All 3 allowed numbers are used.', { max: 3, used: 3, included: 3, extra: 0, capped: true }],
  PORT_EXHAUSTED: ['No host has room for another number. Ask the operator to start one more host.'],
  NUMBER_NOT_ON_NETWORK: [
    'The recipient is not on the network. Check the number.',
    { invalidNumbers: [cast.unknownPhone.typed] },
  ],
  NO_VALID_NUMBERS: [
    'None of the numbers is on the network. Check them.',
    { invalidNumbers: [cast.unknownPhone.typed] },
  ],
  SECRETS_KEY_MISSING: ['The server has lost the key that this secret was encrypted with.'],
  NUMBER_VALIDATION_UNAVAILABLE: ['Numbers cannot be checked now. Try again in 30 s.', wait],
  OTP_EXPIRED: ['The code has expired. Send a new one.'],
  OTP_ALREADY_VERIFIED: ['This code was verified already.'],
  OTP_MAX_ATTEMPTS: ['All 3 tries for this code are used. Send a new one.'],
  OTP_INVALID_CODE: ['The code is wrong. 2 tries are left.', { attemptsRemaining: 2 }],
  OTP_RATE_LIMITED: [
    'This phone was sent the maximum number of codes. Try again in 30 s.',
    { scope: 'phone', retryAfterSeconds: 30 },
  ],
  OTP_TEMPLATE_MISSING_CODE: ['The template must contain {{code}}.'],
  MESSAGE_NOT_FOUND: ['There is no such message.'],
  MESSAGE_NOT_SENT: ['Only a sent message can be changed; this one is queued.', { status: 'queued' }],
  MESSAGE_WRONG_NUMBER: ['The message was sent from another number, and only that one can do this.'],
  CAMPAIGN_INVALID_STATE: ['The campaign is completed; pause takes one that is sending.', { status: 'completed' }],
  WEBHOOK_SIGNING_UNAVAILABLE: ['The server has no encryption keys, so deliveries are not signed.'],
  FILE_TOO_LARGE: ['The file is larger than 16 MiB. Send a public link to it instead.', { maxBytes: 16 * maxBytes }],
  ATTACHMENT_NOT_FOUND: ['There is no such message, or no file came with it.'],
  ATTACHMENT_EXPIRED: ['The network no longer keeps this file.'],
  ATTACHMENT_TOO_LARGE: ['The file is larger than the 100 MiB that can be opened.'],
  ATTACHMENT_UNSUPPORTED: ['The network of this number cannot hand out files.'],
  SEND_FILE_TOO_LARGE: ['The file is larger than the 16 MiB that can be sent this way.', { maxBytes: 16 * maxBytes }],
  SEND_FILE_TYPE_NOT_ALLOWED: ['The file is none of what can be sent this way: JPEG, PNG or WebP.'],
  SEND_FILE_URL_UNREACHABLE: ['The link cannot be fetched: it responded with 404. Use a public https link.'],
  GATEWAY_ERROR: ['The network refused the message.', { messageId, outcome: 'not_sent', reason: 'rejected' }],
  GATEWAY_SESSION_ERROR: ['The number lost its connection to the network.', { messageId, outcome: 'not_sent' }],
  GATEWAY_UNREACHABLE: [
    'The network service cannot be reached. Try again in 30 s.',
    { messageId, outcome: 'not_sent', ...wait },
  ],
  UPSTREAM_TIMEOUT: [
    'The network did not respond in time. The message may have gone out.',
    { messageId, outcome: 'unknown' },
  ],
  SERVICE_BUSY: ['The service is busy. Try again in 1 s.', { retryAfterSeconds: 1 }],
  TRIAL_LIMIT_REACHED: [
    'The free trial sends 100 messages a day, and they are used up.',
    { limit: 100, used: 100, requested: 1, retryAfterSeconds: 52_200, resetsAt: '2026-11-04T00:00:00.000Z' },
  ],
  INTERNAL_ERROR: ['Something went wrong on our side.'],
  NO_PASSWORD_SET: ['This account has no password yet. Request a link that sets one.'],
  INVALID_LINK: ['This link has expired or was used. Request a new one.'],
  TWO_FACTOR_REQUIRED: ['Acme Ltd requires two-step sign-in of its members. Turn it on first.'],
  TWO_FACTOR_CODE_INVALID: [
    'The code is wrong, or was used already. Enter the next one.',
    { reason: 'wrong', attemptsRemaining: 4 },
  ],
  TWO_FACTOR_CHALLENGE_EXPIRED: ['This sign-in has expired. Start again with your password.'],
  TWO_FACTOR_SETUP_EXPIRED: ['The set-up has expired. Set it up again.'],
  TWO_FACTOR_ALREADY_ENABLED: ['Two-step sign-in is on already.'],
  TWO_FACTOR_NOT_ENABLED: ['Two-step sign-in is off.'],
  TWO_FACTOR_OWNER_FIRST: ['The owner must turn two-step sign-in on first.'],
  TWO_FACTOR_UNAVAILABLE: ['This server cannot store secrets, so two-step sign-in is unavailable.'],
  INVITE_INVALID: ['This invitation has expired, was cancelled or was used. Request a new one.'],
  INVITE_EMAIL_MISMATCH: ['This invitation is for another e-mail address. Sign in with that one.'],
  ALREADY_MEMBER: ['This person is a member of the organization already.'],
  TEAM_FULL: ['The team has 50 members and open invitations, which is the limit.', { limit: 50 }],
  OWNS_ORGANIZATION: ['You own Acme Ltd. Transfer or delete it first.', { organizations: ['Acme Ltd'] }],
  ADMIN_CANNOT_DELETE: ['This organization is protected. Write to the operator of the service.'],
  OWNER_ROLE_FIXED: ['The owner stays owner. Transfer the organization instead.'],
  CANNOT_REMOVE_OWNER: ['The owner cannot be removed.'],
  OWNER_CANNOT_LEAVE: ['The owner cannot leave. Transfer the organization first.'],
  LAST_ORGANIZATION: ['This is your only organization. Join or found another one first.'],
  NOT_OWNER: ['Only the owner of the organization may transfer it.'],
  ALREADY_OWNER: ['You are the owner already.'],
  USE_LEAVE: ['To remove yourself, leave the organization: POST /team/leave.'],
  NUMBER_ON_OTHER_ASSISTANT: [
    'Another active assistant uses this number. Pause it, or take the number from it.',
    { containerId: cast.support.containerId, botId },
  ],
  STAFF_PHONE_LIMIT: ['An assistant has at most 10 order phones.', { limit: 10 }],
  STAFF_PHONE_IS_BUSINESS: ['This is the phone of one of your numbers. An order phone must be another one.'],
  AI_UNAVAILABLE: ['The model did not respond as it must. Try again later.'],
  AI_BUSY: ['The model is busy. Try again in some seconds.', { retryAfterSeconds: 5 }],
  AI_QUOTA_EXCEEDED: [
    'The AI allowance is used up. It is renewed on the 1st.',
    { limitUsd: 10, usedUsd: 10, renewsAt: '2026-12-01T00:00:00.000Z' },
  ],
  COUNTRY_LOCKED: ['The country cannot change after the first payment: it stays US.', { country: 'US' }],
  ADMIN_ONLY: ["Only the operator's staff may do this."],
  PAYMENT_NOT_CONFIGURED: ['This service takes no payments. Its operator grants products.'],
  PAYMENT_NO_SUBSCRIPTION: ['There is no subscription. Open a checkout first.'],
  PAYMENT_UNAVAILABLE: ['The payment provider did not respond. Try again; repeating is safe.', { outcome: 'unknown' }],
  PAYMENT_SIGNATURE_INVALID: [
    'The signature is by another secret, or of other bytes. Compare the secret of the endpoint.',
    { reason: 'mismatch' },
  ],
  PAYMENT_CHANGE_REFUSED: [
    'The operator granted this already, so leave it out: shop.',
    { reason: 'granted', products: ['shop'] },
  ],
  PAYMENT_NOTHING_TO_RESUME: ['The plan is not set to stop: it renews by itself.'],
  PAYMENT_PERIOD_UNAVAILABLE: [
    'Not offered for this period: shop. Choose another period or other products.',
    { products: ['shop'] },
  ],
  PAYMENT_SAME_PERIOD: ['The plan is paid by the month already.'],
  INVOICE_NOT_AVAILABLE: ['There is no receipt: no such invoice, or it is not paid.'],
  TOO_MANY_ORGANIZATIONS: ['A person can own up to 10 organizations.', { limit: 10 }],
}

/** Returns an example body of an error: its own words, or the meaning of a code that no route returns yet. */
export function errorExample(code: ErrorCode) {
  const { meaning } = errors[code]
  const [message = `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.`, details]: readonly [string?, unknown?] =
    samples[code] ?? []
  const issues = [
    { field: 'phone', code: 'invalid_phone', message: 'must be an international number like +12025550100' },
  ]
  return {
    success: false,
    error: {
      code,
      message,
      ...(details !== undefined && { details }),
      ...(code === 'VALIDATION_ERROR' && { issues }),
      requestId: cast.requestId,
    },
  }
}

/** Returns whether the example of a code has words of its own. */
export function hasErrorExample(code: ErrorCode): boolean {
  return code in samples
}
