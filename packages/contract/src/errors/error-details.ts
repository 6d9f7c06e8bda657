import * as z from 'zod'
import { products, roles } from '../access.ts'
import { campaignStatuses, messageStatuses, numberStatuses } from '../model/states.ts'
import type { ErrorCode } from './error-table.ts'

const seconds = z.int().min(0)
const count = z.int().min(0)
const retryAfterSeconds = seconds.describe('Whole seconds to wait, equal to the Retry-After header.')
const retryAfterIfKnown = retryAfterSeconds.optional()

/** What became of a send: present on the answers to sends only. */
const send = {
  messageId: z.uuid().optional().describe('The message of this send, when one was stored.'),
  outcome: z
    .enum(['not_sent', 'unknown'])
    .optional()
    .describe('On a send: whether the message certainly did not go out, or may have. Absent on other calls.'),
}

const wait = z.object({ retryAfterSeconds })
const refusedSend = z.object({ ...send, retryAfterSeconds: retryAfterIfKnown })
const unknownSend = z.object(send)
const lockedProducts = z.object({
  products: z.array(z.enum(products)).describe('The products of which one would unlock the call.'),
})
const maxBytes = count.describe('The largest size allowed here, in bytes.')
const offNetwork = z.array(z.string()).describe('The numbers that are not on the network, as they were sent.')

/** Why an action is not allowed: `details.reason` of FORBIDDEN_ACTION. */
export const forbiddenReasons = [
  'one_time_code',
  'window_passed',
  'deleted',
  'not_queued',
  'processing',
  'finished',
  'stopped',
  'already_linked',
  'already_started',
  'not_held',
  'no_webhook_url',
  'quota_reached',
] as const

/** Which conflict: `details.reason` of CONFLICT. */
export const conflictReasons = [
  'idempotency_mismatch',
  'idempotency_in_progress',
  'email_taken',
  'key_exists',
  'already_exists',
] as const

/** The details of each code that carries some; every other code carries none. */
export const errorDetails = {
  VALIDATION_ERROR: z.record(z.string(), z.array(z.string())).describe('Each bad field name with its messages.'),
  PAYLOAD_TOO_LARGE: z.object({ maxBytes }),
  FILE_TOO_LARGE: z.object({ maxBytes }),
  CONFLICT: z.object({
    reason: z
      .enum(conflictReasons)
      .describe(
        'Which conflict: the Idempotency-Key was used with another body, its first request still runs, or what the call would create is already there.',
      ),
    retryAfterSeconds: retryAfterIfKnown,
  }),
  IN_USE: z.object({
    usedBy: z
      .enum(['campaign', 'send_group'])
      .describe('What still uses it: a campaign that is sending, or the send group.'),
  }),
  FORBIDDEN_ACTION: z.object({
    reason: z.enum(forbiddenReasons).describe('Why the action is not allowed.'),
    status: z.string().optional().describe('The status that forbids it, when a status does.'),
    windowSeconds: seconds.optional().describe('How long after sending the action is possible, with window_passed.'),
    limit: count.optional().describe('How many rows may wait, with quota_reached.'),
    used: count.optional().describe('How many wait already, with quota_reached.'),
    requested: count.optional().describe('How many the call would add, with quota_reached.'),
    ageSeconds: seconds.optional().describe('How long ago the message was sent, with window_passed.'),
  }),
  RATE_LIMIT: wait,
  RATE_LIMITED: z.object({
    scope: z.literal('organization').describe('All keys of the organization share the limit.'),
    retryAfterSeconds,
    limitPerMinute: count.describe('Changes a minute the organization may make.'),
  }),
  AUTH_ERROR: z.object({
    reason: z
      .enum(['missing_credentials', 'invalid_api_key', 'invalid_session', 'invalid_credentials'])
      .describe('What is wrong with the credentials; invalid_credentials (e-mail or password) only at sign-in.'),
  }),
  TOO_MANY_LOGIN_ATTEMPTS: wait,
  PRODUCT_REQUIRED: lockedProducts,
  NO_ACTIVE_PRODUCT: lockedProducts,
  ROLE_FORBIDDEN: z.object({ roles: z.array(z.enum(roles)).describe('The roles that may make the call.') }),
  SESSION_NOT_CONNECTED: z.object({ status: z.enum(numberStatuses).describe('The status the number is in.') }),
  NUMBER_LIMIT_REACHED: z.object({
    max: count.describe('Numbers the organization may have.'),
    used: count.describe('Numbers it has.'),
    included: count.describe('Numbers its products include.'),
    extra: count.describe('Numbers bought on top.'),
    capped: z.boolean().describe('Whether a limit applies at all.'),
  }),
  NUMBER_NOT_ON_NETWORK: z.object({
    invalidNumbers: offNetwork.optional(),
    messageId: send.messageId,
  }),
  NO_VALID_NUMBERS: z.object({ invalidNumbers: offNetwork }),
  NUMBER_VALIDATION_UNAVAILABLE: z.object({ retryAfterSeconds: retryAfterIfKnown }),
  OTP_INVALID_CODE: z.object({ attemptsRemaining: count.describe('Tries left for this code.') }),
  OTP_RATE_LIMITED: z.object({
    scope: z.enum(['phone', 'organization']).describe('Which limit was reached: of the phone, or of the organization.'),
    retryAfterSeconds,
  }),
  MESSAGE_NOT_SENT: z.object({ status: z.enum(messageStatuses).describe('The status the message is in.') }),
  CAMPAIGN_INVALID_STATE: z.object({ status: z.enum(campaignStatuses).describe('The status the campaign is in.') }),
  SEND_FILE_TOO_LARGE: z.object({ maxBytes }),
  GATEWAY_ERROR: z.object({
    ...send,
    reason: z
      .enum(['rejected', 'restricted', 'unsupported'])
      .optional()
      .describe('Why: the network refused it, it limits the account, or it cannot do this at all.'),
  }),
  GATEWAY_SESSION_ERROR: refusedSend,
  GATEWAY_UNREACHABLE: refusedSend,
  UPSTREAM_TIMEOUT: unknownSend,
  SERVICE_BUSY: refusedSend,
  TRIAL_LIMIT_REACHED: z.object({
    limit: count.describe('Messages a UTC day on the free trial.'),
    used: count.describe('Messages counted today.'),
    requested: count.describe('Messages this call wanted to send.'),
    retryAfterSeconds,
    resetsAt: z.iso.datetime().describe('When the UTC day ends and the count starts anew.'),
  }),
  INTERNAL_ERROR: unknownSend,
} as const satisfies Partial<Record<ErrorCode, z.ZodObject | z.ZodRecord>>
