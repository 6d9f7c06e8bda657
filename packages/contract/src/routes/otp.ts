import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { at, clientReference, containerId, phoneNumber, text, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'
import { directErrors } from './direct.ts'

const access = { feature: 'otp', keys: 'any' } as const
const bounds = limits.otp

export const otp = {
  /**
   * Makes a random code, sends it at once and keeps only its hash for 5 minutes and 3 tries. Needs Developer. One code
   * every 30 s, 3 in 10 min, 10 in 24 h for each number, 60 a minute in all: OTP_RATE_LIMITED. A template must contain
   * {{code}}, else OTP_TEMPLATE_MISSING_CODE.
   */
  send: route(endpoints.otp.send, {
    summary: 'Send a one-time code',
    access,
    body: z.object({
      phone: phoneNumber,
      template: text(0, limits.otpTemplate)
        .optional()
        .describe('Text with {{code}} and, if wanted, {{expiry}} (minutes); up to 500 characters.'),
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
      requestId: z.uuid().describe('What verify asks for.'),
      phone: z.string().describe('Digits.'),
      expiresAt: at('When the code stops working.'),
      expiresInSeconds: z.int().describe('How long the code works: 300.'),
    }),
    errors: ['OTP_TEMPLATE_MISSING_CODE', 'OTP_RATE_LIMITED', ...directErrors],
    sends: 'direct',
  }),

  /**
   * Checks a code. Needs Developer. A wrong one answers OTP_INVALID_CODE with `attemptsRemaining`; after 3 tries
   * OTP_MAX_ATTEMPTS, after 5 minutes OTP_EXPIRED, a second time OTP_ALREADY_VERIFIED.
   */
  verify: route(endpoints.otp.verify, {
    summary: 'Check a one-time code',
    access,
    body: z.object({
      requestId: uuid.describe('The requestId that send answered.'),
      code: text(bounds.minLength, bounds.maxLength).describe('What the person typed, 4 to 8 characters.'),
    }),
    status: 200,
    response: ok({
      verified: z.literal(true).describe('The code was right.'),
      phone: z.string().describe('Digits of the number the code went to.'),
    }),
    errors: [
      'OTP_INVALID_CODE',
      'OTP_EXPIRED',
      'OTP_MAX_ATTEMPTS',
      'OTP_ALREADY_VERIFIED',
      'NOT_FOUND',
      'SECRETS_KEY_MISSING',
    ],
  }),
} satisfies Covers<typeof endpoints.otp>
