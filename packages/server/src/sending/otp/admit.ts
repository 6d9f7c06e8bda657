import { byOrganization, byPhone, limitReached } from '#api/access/limit-key.ts'
import { type KeyReservation, releaseKeys, reserveKeys } from '#api/idempotency/key-store.ts'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, isRefusal, transaction } from '#platform/db/db.ts'
import { ApiError } from '#platform/errors.ts'
import { type DirectRow, insertDirects } from '#sending/messages/direct/direct-store.ts'
import type { Services } from '#services.ts'
import { countLimited } from './day-store.ts'
import { type Admission, admitOtps, deleteOtp, lockWindows, type NewOtp, tryWindows } from './store.ts'

/** A code with the message that carries it, and the Idempotency-Key of its request or null. */
export interface OtpEntry {
  readonly otp: NewOtp
  readonly row: DirectRow
  readonly claim: KeyReservation | null
}

/**
 * Stores a code that may be sent. Returns its expiry. Throws OTP_RATE_LIMITED with the limit that refuses it for the
 * longest time (specification, "Limits").
 */
export async function admit(trx: Db, otp: NewOtp): Promise<Date> {
  await lockWindows(trx, otp.organizationId)
  return requireAdmitted(otp, (await admitOtps(trx, [otp]))[0] as Admission)
}

/**
 * Stores a code and its message in one batch with concurrent ones of other organizations. Returns the expiry of the
 * code. Returns undefined, with nothing stored, when it needs a transaction of its own, for example because its
 * Idempotency-Key is taken. Throws OTP_RATE_LIMITED.
 */
export async function admitInBatch(db: Db, entry: OtpEntry): Promise<Date | undefined> {
  const outcome = await admitBatched(db, entry)
  return outcome === 'alone' ? undefined : requireAdmitted(entry.otp, outcome)
}

type AdmissionResult = Admission | 'alone'

const admitBatched = sharedBatcher(admitAll, { conflictKey: ({ otp }: OtpEntry) => otp.organizationId })

/** Admits codes of different organizations in one transaction. Each window is counted separately. */
async function admitAll(db: Db, entries: readonly OtpEntry[]): Promise<AdmissionResult[]> {
  try {
    return await transaction(db, (trx) => admitIn(trx, entries))
  } catch (error) {
    // A code that the database refuses must not fail the others.
    if (isRefusal(error)) return entries.map(() => 'alone')
    throw error
  }
}

async function admitIn(trx: Db, entries: readonly OtpEntry[]): Promise<AdmissionResult[]> {
  // When another transaction counts for an organization or holds its number, only the codes of that one wait.
  const free = await tryWindows(
    trx,
    entries.map(({ otp }) => otp),
  )
  const ready = await withClaimedKeys(
    trx,
    entries.filter(({ otp }) => free.has(otp.organizationId)),
  )
  const admissions = await admitOtps(
    trx,
    ready.map(({ otp }) => otp),
  )
  const outcomes = new Map<OtpEntry, AdmissionResult>(ready.map((entry, n) => [entry, admissions[n] as Admission]))
  const isAdmitted = (_: OtpEntry, n: number) => admissions[n]?.expiresAt
  await insertDirects(
    trx,
    ready.filter(isAdmitted).map(({ row }) => row),
  )
  // A refused request releases its key, so that a retry with the key runs again.
  await releaseKeys(trx, toClaims(ready.filter((entry, n) => !isAdmitted(entry, n))))
  return entries.map((entry) => outcomes.get(entry) ?? 'alone')
}

/** Reserves the keys of the entries. Returns the entries that got theirs or have none. */
async function withClaimedKeys(trx: Db, entries: readonly OtpEntry[]): Promise<OtpEntry[]> {
  const claims = toClaims(entries)
  const free = await reserveKeys(trx, claims)
  const reserved = new Set<KeyReservation | null>(claims.filter((_, n) => free[n])).add(null)
  return entries.filter(({ claim }) => reserved.has(claim))
}

function toClaims(entries: readonly OtpEntry[]): KeyReservation[] {
  return entries.flatMap(({ claim }) => claim ?? [])
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
