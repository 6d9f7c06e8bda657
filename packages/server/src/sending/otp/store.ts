import { limits } from '@msgctl/contract'
import { crashPoint } from '#platform/crash-points.ts'
import { countRows, type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'

/** A code that is about to be sent. Its message has the same id. */
export interface NewOtp {
  readonly requestId: string
  readonly organizationId: string
  readonly containerId: string
  readonly phone: string
  readonly mac: Buffer
  readonly pepper: string
}

/** The expiry of an admitted code, or the limit that refuses it and the remaining wait. */
export type Admission =
  | { readonly expiresAt: Date }
  | { readonly expiresAt: null; readonly scope: 'phone' | 'organization'; readonly waitSeconds: number }

/** Locks the counting of codes of this organization until the transaction ends. */
export async function lockWindows(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, "select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'otp', :organizationId::text), 0))", {
    organizationId,
  })
}

/** Returns the query for the waits of one scope: until the n-th last code leaves its window. */
function waitsQuery(scope: 'phone' | 'organization'): string {
  return `
    select '${scope}' as scope, extract(epoch from taken.at + w.seconds * interval '1 s' - clock.now) as wait
      from clock, unnest(:${scope}Seconds::int[], :${scope}Codes::int[]) as w (seconds, codes)
     cross join lateral (
       select created_at as at from otp_requests
        where organization_id = :organizationId ${scope === 'phone' ? 'and phone = :phone' : ''}
        order by created_at desc offset w.codes - 1 limit 1
     ) taken
     where taken.at > clock.now - w.seconds * interval '1 s'`
}

/**
 * Stores a code, except where a sliding window is full (specification, "Limits"). Call {@link lockWindows} before in a
 * statement of its own, so that this one sees what was committed until the lock was free.
 */
export async function admitOtp(trx: Db, otp: NewOtp): Promise<Admission> {
  const { perPhone, perOrganizationPerMinute, validSeconds } = limits.otp
  const [admission] = await rows<Admission>(
    trx,
    `with clock as (select service_now() as now), longest as (
       select * from (${waitsQuery('phone')} union all ${waitsQuery('organization')}) waiting order by wait desc limit 1
     ), admitted as (
       insert into otp_requests (id, organization_id, container_id, phone, mac, pepper, created_at, expires_at)
       select :requestId::uuid, :organizationId::uuid, :containerId::uuid, :phone, :mac, :pepper,
              now, now + :validSeconds * interval '1 s'
         from clock where not exists (select from longest)
       returning expires_at
     )
     select admitted.expires_at, longest.scope, longest.wait::float8 as wait_seconds
       from clock left join admitted on true left join longest on true`,
    {
      ...otp,
      validSeconds,
      phoneSeconds: perPhone.map(({ seconds }) => seconds),
      phoneCodes: perPhone.map(({ codes }) => codes),
      organizationSeconds: [60],
      organizationCodes: [perOrganizationPerMinute],
    },
  )
  crashPoint('otp.code-stored')
  if (!admission) throw new Error('admitting a code returned no row')
  return admission
}

/** Deletes a code that was not sent, so that it counts in no window. */
export async function deleteOtp(
  db: Db,
  { organizationId, requestId }: Pick<NewOtp, 'organizationId' | 'requestId'>,
): Promise<void> {
  await db('otp_requests').where({ organizationId, id: requestId }).delete()
}

/** Returns the expiry of the code of a request, or undefined. */
export async function findExpiry(db: Db, organizationId: string, requestId: string): Promise<Date | undefined> {
  const found = await db('otp_requests').where({ organizationId, id: requestId }).first('expiresAt')
  return found?.expiresAt
}

/** The id of a request with its caller. A number's key reads only requests of its own number. */
export interface OtpId {
  readonly organizationId: string
  readonly requestId: string
  readonly ownContainerId: string | null
}

/** Selects the row of a request, unless it belongs to another number than the caller's. */
function selectOtp(db: Db, { organizationId, requestId, ownContainerId }: OtpId) {
  const request = db('otp_requests').where({ organizationId, id: requestId })
  return ownContainerId === null ? request : request.where({ containerId: ownContainerId })
}

/** An attempt that may be compared. */
export interface CountedAttempt {
  readonly requestId: string
  readonly phone: string
  readonly mac: Buffer
  readonly pepper: string
  /** Attempts used, including this one. */
  readonly tries: number
}

/**
 * Counts an attempt and returns what to compare. Only a counted attempt gets it, so of any number of parallel guesses
 * three are compared. Returns undefined when the request is not open.
 */
export async function countAttempt(db: Db, id: OtpId): Promise<CountedAttempt | undefined> {
  const [counted] = await selectOtp(db, id)
    .whereNull('verifiedAt')
    .where('expiresAt', '>=', serviceNow(db))
    .where('tries', '<', limits.otp.tries)
    .increment('tries', 1)
    .returning(['id', 'phone', 'mac', 'pepper', 'tries'])
  if (!counted) return undefined
  const { id: requestId, ...attempt } = counted
  return { requestId, ...attempt }
}

/** The status of a request. */
export interface OtpStatus {
  readonly verified: boolean
  readonly expired: boolean
}

/** Returns the status of a request, or undefined when this caller has no such request. */
export async function findOtpStatus(db: Db, id: OtpId): Promise<OtpStatus | undefined> {
  return firstRow<OtpStatus>(
    db,
    `select verified_at is not null as verified, expires_at < (select service_now()) as expired
       from otp_requests
      where organization_id = :organizationId and id = :requestId
        and (:ownContainerId::uuid is null or container_id = :ownContainerId::uuid)`,
    { ...id },
  )
}

/** Marks a request as verified. Returns false when another call did it first. */
export async function writeVerified(db: Db, id: OtpId): Promise<boolean> {
  return (
    (await selectOtp(db, id)
      .whereNull('verifiedAt')
      .update({ verifiedAt: serviceNow(db) })) > 0
  )
}

/** Takes back a counted attempt whose code could not be compared. */
export async function refundAttempt(db: Db, id: OtpId): Promise<void> {
  await selectOtp(db, id).where('tries', '>', 0).decrement('tries', 1)
}

const hourMs = 60 * 60 * 1000

/** Counts the open codes whose HMAC was made with another pepper of SECRETS_KEYS than this. */
export async function countOpenWithOtherPeppers(db: Db, pepper: string): Promise<number> {
  return countRows(
    db('otp_requests')
      .where('createdAt', '>', serviceNow(db, -hourMs))
      .where('expiresAt', '>=', serviceNow(db))
      .whereNull('verifiedAt')
      .whereNotIn('pepper', [pepper, 'stored']),
  )
}

/**
 * Deletes up to `limit` requests that are older than 25 hours, and counts them in the day of their creation. Windows
 * and idempotency keys refer to them for 24. Returns how many there were.
 */
export async function deleteExpiredOtps(db: Db, limit = 5000): Promise<number> {
  const [deleted] = await rows<{ count: number }>(
    db,
    `with gone as (
       delete from otp_requests where id = any(array(
         select id from otp_requests where created_at < (select service_now()) - interval '25 h' limit :limit))
       returning organization_id, (created_at at time zone 'UTC')::date as day, verified_at is not null as verified
     ), counted as (
       insert into otp_days as d (organization_id, day, verified, expired)
       select organization_id, day, count(*) filter (where verified), count(*) filter (where not verified)
         from gone group by 1, 2 order by 1, 2
       on conflict (organization_id, day) do update
         set verified = d.verified + excluded.verified, expired = d.expired + excluded.expired
     )
     select count(*)::int as count from gone`,
    { limit },
  )
  return deleted?.count ?? 0
}

const pepperName = 'otp.pepper'

/** Returns the pepper that the service generated, or undefined. */
export async function findStoredPepper(db: Db): Promise<string | undefined> {
  return (await db('server_secrets').where({ name: pepperName }).first('value'))?.value
}

/** Stores a pepper. Returns the one to use, which is the first one when several processes start at once. */
export async function storePepper(db: Db, value: string): Promise<string> {
  await db('server_secrets').insert({ name: pepperName, value }).onConflict().ignore()
  return (await findStoredPepper(db)) ?? value
}

/** Ends all codes that are still valid, of all organizations: one may have been used. Returns how many there were. */
export async function expireOpenOtps(trx: Db): Promise<number> {
  return trx('otp_requests')
    .whereNull('verifiedAt')
    .where('expiresAt', '>=', serviceNow(trx))
    .update({ expiresAt: serviceNow(trx, -1) })
}
