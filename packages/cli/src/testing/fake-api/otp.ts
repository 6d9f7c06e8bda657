import { type Routes, refusal } from './server.ts'

/** The request that exists, and its code. */
const requestId = '0190c1d2-0000-7000-8000-00000000c0de'
const code = '048213'

/** One-time codes; every code is the same, and a phone ending in 0130 got one already. */
export function otpRoutes(): Routes {
  let tries = 3
  return {
    'POST /otp/send': ({ body }) => {
      const phone = String(body.phone).replace(/\D/g, '')
      if (body.template !== undefined && !String(body.template).includes('{{code}}')) {
        return refusal(400, 'OTP_TEMPLATE_MISSING_CODE', 'The template must contain {{code}}.')
      }
      if (phone.endsWith('0130')) {
        const details = { scope: 'phone', retryAfterSeconds: 30 }
        return {
          ...refusal(429, 'OTP_RATE_LIMITED', 'This phone was sent a code just now.', details),
          headers: { 'retry-after': '30' },
        }
      }
      const expiresAt = '2026-11-01T08:05:00.000Z'
      return { status: 201, body: { success: true, requestId, phone, expiresAt, expiresInSeconds: 300 } }
    },
    'POST /otp/verify': ({ body }) => {
      if (body.requestId !== requestId) return refusal(404, 'NOT_FOUND', 'There is no such request for a code.')
      if (body.code === code) return { body: { success: true, verified: true, phone: '12025550100' } }
      tries -= 1
      return refusal(400, 'OTP_INVALID_CODE', 'The code is wrong.', { attemptsRemaining: tries })
    },
  }
}
