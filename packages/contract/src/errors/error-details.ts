import * as z from 'zod'
import { products, roles } from '../access.ts'
import { changeRefusals, declineCodes } from '../model/billing.ts'
import { named } from '../model/envelope.ts'
import { campaignStatuses, messageStatuses, numberStatuses } from '../model/states.ts'
import type { ErrorCode } from './error-table.ts'

const seconds = z.int().min(0)
const count = z.int().min(0)
const retryAfterSeconds = seconds.describe('Whole seconds to wait, equal to the Retry-After header.')
const retryAfterIfKnown = retryAfterSeconds.optional()

/** The result of a failed send. Only errors of sends carry it. */
const send = {
  messageId: z.uuid().optional().describe('The stored message of this send, if there is one.'),
  outcome: z
    .enum(['not_sent', 'unknown'])
    .optional()
    .describe(
      'For a send: not_sent if the message certainly did not go out, unknown if it may have. Absent for other calls.',
    ),
}

const wait = named('WaitDetails', 'How long to wait.', { retryAfterSeconds })
const refusedCall = named('RefusedCallDetails', 'How long to wait, and why.', {
  retryAfterSeconds,
  reason: z
    .enum(['too_many_pending'])
    .optional()
    .describe('Why, where it is no limit by time: too many actions of the connection wait for a person.'),
})
const refusedSend = named('RefusedSendDetails', 'What became of a send, and how long to wait.', {
  ...send,
  retryAfterSeconds: retryAfterIfKnown,
})
const unknownSend = named('UnknownSendDetails', 'What became of a send.', send)
const lockedProducts = named('MissingProductDetails', 'The products that would unlock the call.', {
  products: z.array(z.enum(products)).describe('The call needs one of these products.'),
})
const tooLarge = named('TooLargeDetails', 'How large it may be.', {
  maxBytes: count.describe('The largest allowed size, in bytes.'),
})
const offNetwork = z.array(z.string()).describe('The numbers that are not on the network, as they were sent.')

/** Why an action is not allowed: the values of `details.reason` of FORBIDDEN_ACTION. */
export const forbiddenReasons = [
  'one_time_code',
  'window_passed',
  'deleted',
  'not_queued',
  'processing',
  'finished',
  'stopped',
  'already_linked',
  'no_webhook_url',
  'not_encrypted',
  'too_many_endpoints',
  'quota_reached',
  'mcp_disabled',
  'scope',
  'consent_needed',
  'not_pending',
  'active',
  'no_number',
  'no_currency',
  'currency_fixed',
  'order_status',
  'not_open',
  'platform_admin',
  'not_on_trial',
] as const

/** The kinds of conflict: the values of `details.reason` of CONFLICT. */
export const conflictReasons = [
  'idempotency_mismatch',
  'idempotency_in_progress',
  'email_taken',
  'key_exists',
  'already_exists',
] as const

/** The schema of the details of each code. Codes that are not listed carry none. */
export const errorDetails = {
  VALIDATION_ERROR: z.record(z.string(), z.array(z.string())).describe('Each invalid field with its messages.'),
  PAYLOAD_TOO_LARGE: z.object({
    maxBytes: count.optional().describe('The largest allowed size in bytes, where the body or one text is too large.'),
    maxEntries: count.optional().describe('How many fields and entries are allowed, where there are too many.'),
  }),
  FILE_TOO_LARGE: tooLarge,
  CONFLICT: z.object({
    reason: z
      .enum(conflictReasons)
      .describe(
        'Which conflict: the Idempotency-Key was used with another body, its first request is still running, ' +
          'or the resource already exists.',
      ),
    retryAfterSeconds: retryAfterIfKnown,
  }),
  IN_USE: z.object({
    usedBy: z
      .enum(['campaign', 'send_group', 'assistant'])
      .describe('The user of the resource: a campaign that is sending, the send group, or an active assistant.'),
  }),
  FORBIDDEN_ACTION: z.object({
    reason: z.enum(forbiddenReasons).describe('Why the action is not allowed.'),
    status: z.string().optional().describe('The status that forbids the action, if a status does.'),
    windowSeconds: seconds.optional().describe('With window_passed: how long after sending the action is possible.'),
    limit: count
      .optional()
      .describe(
        'With quota_reached: how many of these are allowed, such as unsent rows, bytes of uploads or characters ' +
          'of questions.',
      ),
    used: count.optional().describe('With quota_reached: how many exist.'),
    requested: count.optional().describe('With quota_reached: how many the call would add.'),
    ageSeconds: seconds.optional().describe('With window_passed: how long ago the message was sent.'),
  }),
  RATE_LIMIT: refusedCall,
  RATE_LIMITED: z.object({
    scope: z.literal('organization').describe('All keys of the organization share the limit.'),
    retryAfterSeconds,
    limitPerMinute: count.describe('Changes that the organization may make per minute.'),
  }),
  AUTH_ERROR: z.object({
    reason: z
      .enum(['missing_credentials', 'invalid_api_key', 'invalid_session', 'invalid_token', 'invalid_credentials'])
      .describe(
        'The problem with the credentials; invalid_token (of an AI client) only at /mcp, invalid_credentials ' +
          '(e-mail or password) only at sign-in.',
      ),
  }),
  OAUTH_REQUEST_INVALID: z.object({
    reason: z
      .enum(['expired', 'answered', 'other_browser'])
      .describe('Whether the request expired, was answered, or began in another browser.'),
  }),
  TOO_MANY_LOGIN_ATTEMPTS: wait,
  PRODUCT_REQUIRED: lockedProducts,
  NO_ACTIVE_PRODUCT: lockedProducts,
  ROLE_FORBIDDEN: z.object({ roles: z.array(z.enum(roles)).describe('The call needs one of these roles.') }),
  SESSION_NOT_CONNECTED: z.object({ status: z.enum(numberStatuses).describe('The status of the number.') }),
  NUMBER_LIMIT_REACHED: z.object({
    max: count.describe('Numbers the organization may have.'),
    used: count.describe('Numbers the organization has.'),
    included: count.describe('Numbers included in its products.'),
    extra: count.describe('Additional numbers bought.'),
    capped: z.boolean().describe('Whether a limit applies.'),
  }),
  NUMBER_NOT_ON_NETWORK: z.object({
    invalidNumbers: offNetwork.optional(),
    messageId: send.messageId,
  }),
  NO_VALID_NUMBERS: z.object({ invalidNumbers: offNetwork }),
  NUMBER_VALIDATION_UNAVAILABLE: z.object({
    retryAfterSeconds: retryAfterIfKnown,
    notChecked: z
      .array(z.string())
      .optional()
      .describe('The numbers of a list that could not be checked, as they were sent.'),
  }),
  TWO_FACTOR_CODE_INVALID: z.object({
    reason: z.enum(['wrong', 'required']).describe('Whether the code is wrong, or missing although two steps are on.'),
    attemptsRemaining: count
      .optional()
      .describe('With wrong: attempts left before the challenge or the person is locked.'),
  }),
  TEAM_FULL: z.object({ limit: count.describe('Members and open invitations allowed together.') }),
  OWNS_ORGANIZATION: z.object({
    organizations: z.array(z.string()).describe('Names of the organizations that the person owns.'),
  }),
  TOO_MANY_ORGANIZATIONS: z.object({ limit: count.describe('Organizations that a person may own.') }),
  NUMBER_ON_OTHER_ASSISTANT: z.object({
    containerId: z.uuid().describe('The number.'),
    botId: z.uuid().describe('The active assistant of the number.'),
  }),
  STAFF_PHONE_LIMIT: z.object({ limit: count.describe('Order phones that an assistant may have.') }),
  AI_BUSY: wait,
  AI_QUOTA_EXCEEDED: z.object({
    limitUsd: z.number().describe('The AI allowance, in US dollars.'),
    usedUsd: z.number().describe('How much of it is used or reserved.'),
    renewsAt: z.iso.datetime().nullable().describe('When it is renewed; null on trial.'),
  }),
  COUNTRY_LOCKED: z.object({ country: z.string().describe('The country that stays.') }),
  PAYMENT_CHANGE_REFUSED: z.object({
    reason: z
      .enum(changeRefusals)
      .describe(
        'Why: a subscription exists, a payment is open, the plan is set to stop, the operator granted a product, it ' +
          'is not for sale, numbers need Developer or Connect, the card was declined, the person must confirm the ' +
          'payment, another change runs, or the provider refuses it.',
      ),
    products: z.array(z.enum(products)).optional().describe('With granted and not_for_sale: which products.'),
    payUrl: z.string().nullable().optional().describe('The page on which the open payment can be made.'),
    expiresAt: z.iso.datetime().optional().describe('Until when the change waits for the payment.'),
    declineCode: z.enum(declineCodes).optional().describe('With card_declined: why the card was declined.'),
  }),
  PAYMENT_PERIOD_UNAVAILABLE: z.object({
    products: z.array(z.enum([...products, 'extra_numbers'])).describe('What has no price for the period.'),
  }),
  PAYMENT_UNAVAILABLE: z.object({
    outcome: z
      .enum(['not_done', 'unknown'])
      .describe('Whether the provider certainly did nothing, or may have; repeating the call is safe.'),
  }),
  PAYMENT_SIGNATURE_INVALID: z.object({
    reason: z
      .enum(['missing', 'malformed', 'mismatch', 'expired'])
      .describe('Whether the header is missing, is no signature, is by another secret, or is too old or too new.'),
  }),
  OTP_INVALID_CODE: z.object({ attemptsRemaining: count.describe('Attempts left for this code.') }),
  OTP_RATE_LIMITED: z.object({
    scope: z
      .enum(['phone', 'organization'])
      .describe('The limit that was reached: of the phone or of the organization.'),
    retryAfterSeconds,
  }),
  MESSAGE_NOT_SENT: z.object({ status: z.enum(messageStatuses).describe('The status of the message.') }),
  CAMPAIGN_INVALID_STATE: z.object({ status: z.enum(campaignStatuses).describe('The status of the campaign.') }),
  SEND_FILE_TOO_LARGE: tooLarge,
  GATEWAY_ERROR: z.object({
    ...send,
    reason: z
      .enum(['rejected', 'restricted', 'new_chat_refused', 'contact_refused', 'unsupported'])
      .optional()
      .describe(
        'Why: the network rejected it, limits the account, lets it begin no new chats, accepts nothing for this ' +
          'person, or does not support it.',
      ),
  }),
  GATEWAY_SESSION_ERROR: refusedSend,
  GATEWAY_UNREACHABLE: refusedSend,
  UPSTREAM_TIMEOUT: unknownSend,
  SERVICE_BUSY: refusedSend,
  TRIAL_LIMIT_REACHED: z.object({
    limit: count.describe('Messages per UTC day on the free trial.'),
    used: count.describe('Messages counted today.'),
    requested: count.describe('Messages that the call requested.'),
    retryAfterSeconds,
    resetsAt: z.iso.datetime().describe('When the UTC day ends and the count restarts.'),
  }),
  INTERNAL_ERROR: unknownSend,
  ORGANIZATION_MOVED: z.object({ address: z.url().describe('The address of the service that has it now.') }),
  KEY_SCOPE: z.object({
    required: z.string().nullable().describe('The scope that the call needs; null where no scope allows it.'),
    scopes: z.array(z.string()).describe('The scopes that the credential has.'),
  }),
} as const satisfies Partial<Record<ErrorCode, z.ZodObject | z.ZodRecord>>
