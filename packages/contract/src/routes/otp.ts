import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import { named, ok } from '../model/envelope.ts'
import { at, clientReference, containerId, count, phoneNumber, queryInteger, text, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { directErrors } from './direct.ts'

const access = { feature: 'otp', keys: 'any' } as const
const bounds = limits.otp

const day = named('OneTimeCodeDay', 'What became of the codes of one day.', {
  day: z.iso.date().describe('The UTC day, like 2026-11-03.'),
  sent: count('Codes that reached the network.'),
  delivered: count('Codes that reached the phone.'),
  verified: count('Codes that were entered correctly.'),
  expired: count('Codes that ended without a correct entry.'),
  failed: count('Codes that could not be sent.'),
  limited: count('Codes that were refused with OTP_RATE_LIMITED.'),
})

export const otp = {
  /**
   * Generates a random code, sends it at once and stores only its hash, for 5 minutes and 3 attempts. Needs Developer.
   * A phone gets one code in 30 s, 3 in 10 min and 10 in 24 h, an organization sends 60 a minute; more fail with
   * OTP_RATE_LIMITED. A template must contain {{code}}, else it fails with OTP_TEMPLATE_MISSING_CODE.
   */
  send: route('POST /otp/send', {
    summary: 'Send a one-time code',
    access,
    body: z.object({
      phone: phoneNumber,
      template: text(0, limits.otpTemplate)
        .optional()
        .describe('Text with {{code}} and optionally {{expiry}} (minutes), up to 500 characters.'),
      length: z
        .int()
        .min(bounds.minLength)
        .max(bounds.maxLength)
        .default(bounds.defaultLength)
        .describe('Digits of the code, 4 to 8.'),
      containerId,
      clientReference,
    }),
    status: 201,
    response: ok({
      requestId: z.uuid().describe('The id to verify the code with.'),
      phone: z.string().describe('Digits.'),
      expiresAt: at('When the code expires.'),
      expiresInSeconds: z.int().describe('How long the code is valid: 300.'),
    }).meta({ id: 'OneTimeCode', description: 'A code that was sent and can be verified.' }),
    errors: ['OTP_TEMPLATE_MISSING_CODE', 'OTP_RATE_LIMITED', ...directErrors],
    sends: 'direct',
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, template: cast.oneTimeCode.template },
      output: {
        requestId: cast.oneTimeCode.requestId,
        phone: cast.jane.phone,
        expiresAt: '2026-11-03T09:35:00.000Z',
        expiresInSeconds: 300,
      },
    },
    msgctl: `msgctl otp send ${cast.jane.typed} --template "${cast.oneTimeCode.template}"`,
  }),

  /**
   * Checks a code. Needs Developer. A wrong one fails with OTP_INVALID_CODE and `attemptsRemaining`. It fails with
   * OTP_MAX_ATTEMPTS after 3 attempts, OTP_EXPIRED after 5 minutes, and OTP_ALREADY_VERIFIED the second time.
   */
  verify: route('POST /otp/verify', {
    summary: 'Check a one-time code',
    access,
    body: z.object({
      requestId: uuid.describe('The requestId from sending the code.'),
      code: text(bounds.minLength, bounds.maxLength).describe('The code that the person entered, 4 to 8 characters.'),
    }),
    response: ok({
      verified: z.literal(true).describe('The code was right.'),
      phone: z.string().describe('Digits of the number that got the code.'),
    }),
    errors: [
      'OTP_INVALID_CODE',
      'OTP_EXPIRED',
      'OTP_MAX_ATTEMPTS',
      'OTP_ALREADY_VERIFIED',
      'NOT_FOUND',
      'SECRETS_KEY_MISSING',
    ],
    example: {
      input: { requestId: cast.oneTimeCode.requestId, code: cast.oneTimeCode.code },
      output: { verified: true, phone: cast.jane.phone },
    },
    msgctl: `msgctl otp verify ${cast.oneTimeCode.requestId} ${cast.oneTimeCode.code}`,
  }),

  /**
   * Counts the codes of each of the last days, oldest first: a day counts the codes that were asked for in it. Needs
   * Developer. Not for the key of a number, because it counts every number.
   */
  stats: route('GET /otp/stats', {
    summary: 'Count one-time codes by day',
    access: { feature: 'otp', keys: 'account' },
    query: z.object({
      days: queryInteger(1, limits.statsDays)
        .default(bounds.statsDays)
        .describe(`How many days, up to ${limits.statsDays}; the last one is today.`),
    }),
    response: ok({ days: z.array(day).describe('One entry for each day, also for a day without codes.') }),
    example: {
      input: { days: 2 },
      output: {
        days: [
          { day: '2026-11-02', sent: 40, delivered: 39, verified: 35, expired: 5, failed: 0, limited: 2 },
          { day: '2026-11-03', sent: 14, delivered: 13, verified: 11, expired: 2, failed: 1, limited: 0 },
        ],
      },
    },
    msgctl: 'msgctl otp stats --days 2',
  }),
}
