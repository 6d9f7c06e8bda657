import { byOrganization, byPhone, limitReached } from '#api/access/limit-key.ts'
import type { Db } from '#platform/db/db.ts'
import { ApiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { countLimited } from './day-store.ts'
import { type Admission, admitOtp, deleteOtp, lockWindows, type NewOtp } from './store.ts'

/**
 * Stores a code that may be sent. Returns its expiry. Throws OTP_RATE_LIMITED with the limit that refuses it for the
 * longest time (specification, "Limits").
 */
export async function admit(trx: Db, otp: NewOtp): Promise<Date> {
  await lockWindows(trx, otp.organizationId)
  return requireAdmitted(otp, await admitOtp(trx, otp))
}

function requireAdmitted({ organizationId, phone }: NewOtp, admission: Admission): Date {
  if (admission.expiresAt !== null) return admission.expiresAt
  const { scope } = admission
  const key =
    scope === 'phone'
      ? byPhone('one-time codes to a phone', organizationId, phone)
      : byOrganization('one-time codes', organizationId)
  const retryAfterSeconds = Math.max(1, Math.ceil(admission.waitSeconds))
  const whom = scope === 'phone' ? 'This phone was' : 'Phones of this organization were'
  throw limitReached(key, `${whom} sent the maximum number of codes. Try again in ${retryAfterSeconds} s.`, {
    scope,
    retryAfterSeconds,
  })
}

/** Counts a code that was refused by a limit, for the statistics. */
export async function countRefusal({ db, log }: Services, organizationId: string, failure: unknown): Promise<void> {
  if (!(failure instanceof ApiError) || failure.code !== 'OTP_RATE_LIMITED') return
  try {
    await countLimited(db, organizationId)
  } catch (error) {
    // The caller still gets the refusal.
    log.warn({ event: 'otp_refusal_uncounted', err: error }, 'failed to count a refused code')
  }
}

/**
 * Deletes a code when the failure of its send proves that it was not sent, so that it counts in no window. A code that
 * may have been sent stays.
 */
export async function discardUnsentCode(
  { db, log }: Services,
  id: Pick<NewOtp, 'organizationId' | 'requestId'>,
  failure: unknown,
): Promise<void> {
  if (!isDefinitelyUnsent(failure)) return
  try {
    await deleteOtp(db, id)
  } catch (error) {
    // The caller still gets the failure of the send. The code counts, as one of unknown outcome does.
    log.warn(
      { event: 'otp_discard_failed', err: error, requestId: id.requestId },
      'failed to discard an unsent code; it still counts toward the limits',
    )
  }
}

function isDefinitelyUnsent(failure: unknown): boolean {
  if (!(failure instanceof ApiError)) return false
  const { code, details } = failure
  if (code === 'NUMBER_NOT_ON_NETWORK') return true
  return details !== undefined && 'outcome' in details && details.outcome === 'not_sent'
}
