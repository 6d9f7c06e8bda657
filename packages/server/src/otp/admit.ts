import type { Db } from '../db/db.ts'
import { ApiError, apiError } from '../errors.ts'
import type { Services } from '../services.ts'
import { admitOtp, deleteOtp, lockWindows, type NewOtp } from './store.ts'

/**
 * Stores a code that may be sent, and answers when it stops working. Throws OTP_RATE_LIMITED with the limit that refuses
 * it for the longest time (specification, "Limits").
 */
export async function admit(trx: Db, otp: NewOtp): Promise<Date> {
  await lockWindows(trx, otp.organizationId, otp.phone)
  const admission = await admitOtp(trx, otp)
  if (admission.expiresAt !== null) return admission.expiresAt
  const { scope } = admission
  const retryAfterSeconds = Math.max(1, Math.ceil(admission.waitSeconds))
  const whom = scope === 'phone' ? 'This phone was' : 'Phones of this organization were'
  throw apiError(
    'OTP_RATE_LIMITED',
    `${whom} sent as many codes as may be sent for now. Try again in ${retryAfterSeconds} s.`,
    { scope, retryAfterSeconds },
  )
}

/**
 * Forgets a code when the failure of its send says that it certainly never left: then it counts in no window. One that
 * may have gone out stays.
 */
export async function forgetUnsent(
  { db, log }: Services,
  { organizationId, requestId }: Pick<NewOtp, 'organizationId' | 'requestId'>,
  failure: unknown,
): Promise<void> {
  if (!neverLeft(failure)) return
  try {
    await deleteOtp(db, organizationId, requestId)
  } catch (error) {
    // The caller hears what the network said all the same; the code counts, as one of unknown outcome does.
    log.warn({ err: error, requestId }, 'a code that never left still counts')
  }
}

function neverLeft(failure: unknown): boolean {
  if (!(failure instanceof ApiError)) return false
  const { code, details } = failure
  if (code === 'NUMBER_NOT_ON_NETWORK') return true
  return details !== undefined && 'outcome' in details && details.outcome === 'not_sent'
}
