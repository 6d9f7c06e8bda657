import { sharedBatcher } from '../concurrency/batcher.ts'
import { type Db, isRefusal, transaction } from '../db/db.ts'
import { ApiError, apiError } from '../errors.ts'
import { type KeyReservation, releaseKeys, reserveKeys } from '../idempotency/key-store.ts'
import { type DirectRow, insertDirects } from '../messages/direct/direct-store.ts'
import type { Services } from '../services.ts'
import { type Admission, admitOtps, deleteOtp, lockWindows, type NewOtp, tryWindows } from './store.ts'

/** A code with the message that carries it, and the Idempotency-Key of its request or null. */
export interface OtpEntry {
  readonly otp: NewOtp
  readonly row: DirectRow
  readonly claim: KeyReservation | null
}

/**
 * Stores a code that may be sent, and answers when it stops working. Throws OTP_RATE_LIMITED with the limit that refuses
 * it for the longest time (specification, "Limits").
 */
export async function admit(trx: Db, otp: NewOtp): Promise<Date> {
  await lockWindows(trx, otp.organizationId)
  return requireAdmitted((await admitOtps(trx, [otp]))[0] as Admission)
}

/**
 * Stores a code and its message, together with those of other organizations of this moment, and answers when the code
 * stops working; undefined, and nothing is stored, when it has to go its own way, as with a key that is not free. Throws
 * OTP_RATE_LIMITED.
 */
export async function admitInBatch(db: Db, entry: OtpEntry): Promise<Date | undefined> {
  const outcome = await admitBatched(db, entry)
  return outcome === 'alone' ? undefined : requireAdmitted(outcome)
}

type AdmissionResult = Admission | 'alone'

const admitBatched = sharedBatcher(admitAll, { conflictKey: ({ otp }: OtpEntry) => otp.organizationId })

/** One transaction for codes of different organizations, so that each window is counted by itself. */
async function admitAll(db: Db, entries: readonly OtpEntry[]): Promise<AdmissionResult[]> {
  try {
    return await transaction(db, (trx) => admitIn(trx, entries))
  } catch (error) {
    // One that the database refuses must not take the others with it.
    if (isRefusal(error)) return entries.map(() => 'alone')
    throw error
  }
}

async function admitIn(trx: Db, entries: readonly OtpEntry[]): Promise<AdmissionResult[]> {
  // Where somebody else counts, or holds the number, only the codes of that organization wait.
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
  // A refused request keeps nothing, so that the next with its key runs again.
  await releaseKeys(trx, toClaims(ready.filter((entry, n) => !isAdmitted(entry, n))))
  return entries.map((entry) => outcomes.get(entry) ?? 'alone')
}

/** Those whose key is free, or that have none; the keys are theirs from then on. */
async function withClaimedKeys(trx: Db, entries: readonly OtpEntry[]): Promise<OtpEntry[]> {
  const claims = toClaims(entries)
  const free = await reserveKeys(trx, claims)
  const mine = new Set<KeyReservation | null>(claims.filter((_, n) => free[n])).add(null)
  return entries.filter(({ claim }) => mine.has(claim))
}

function toClaims(entries: readonly OtpEntry[]): KeyReservation[] {
  return entries.flatMap(({ claim }) => claim ?? [])
}

function requireAdmitted(admission: Admission): Date {
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
export async function discardUnsentCode(
  { db, log }: Services,
  id: Pick<NewOtp, 'organizationId' | 'requestId'>,
  failure: unknown,
): Promise<void> {
  if (!isDefinitelyUnsent(failure)) return
  try {
    await deleteOtp(db, id)
  } catch (error) {
    // The caller hears what the network said all the same; the code counts, as one of unknown outcome does.
    log.warn({ err: error, requestId: id.requestId }, 'a code that never left still counts')
  }
}

function isDefinitelyUnsent(failure: unknown): boolean {
  if (!(failure instanceof ApiError)) return false
  const { code, details } = failure
  if (code === 'NUMBER_NOT_ON_NETWORK') return true
  return details !== undefined && 'outcome' in details && details.outcome === 'not_sent'
}
