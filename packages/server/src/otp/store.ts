import { limits } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A code that is about to be sent; its message has the same id. */
export interface NewOtp {
  readonly requestId: string
  readonly organizationId: string
  readonly containerId: string
  readonly phone: string
  readonly mac: Buffer
  readonly pepper: string
}

/** Either when the code stops working, or the limit that refuses it and for how long still. */
export type Admission =
  | { readonly expiresAt: Date }
  | { readonly expiresAt: null; readonly scope: 'phone' | 'organization'; readonly waitSeconds: number }

/**
 * Waits until no other transaction counts codes of this organization or phone. The organization comes first everywhere,
 * so that nobody waits in a circle.
 */
export async function lockWindows(trx: Db, organizationId: string, phone: string): Promise<void> {
  await rows(
    trx,
    `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'otp', :organizationId::text), 0)),
            pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'otp', :organizationId::text, :phone::text), 0))`,
    { organizationId, phone },
  )
}

/** When the code counted as the n-th last leaves its window; there is a wait while that lies ahead. */
function waits(scope: 'phone' | 'organization', whose: string): string {
  return `
    select '${scope}' as scope, extract(epoch from taken.at + w.seconds * interval '1 s' - clock.now) as wait
      from clock, unnest(:${scope}Seconds::int[], :${scope}Codes::int[]) as w (seconds, codes)
     cross join lateral (
       select created_at as at from otp_requests where ${whose} order by created_at desc offset w.codes - 1 limit 1
     ) taken
     where taken.at > clock.now - w.seconds * interval '1 s'`
}

/**
 * Stores a code unless one of the sliding windows is full (specification, "Limits"). Exact behind {@link lockWindows},
 * which must be a statement before: this one has to see what was committed until the lock was free.
 */
export async function admitOtp(trx: Db, otp: NewOtp): Promise<Admission> {
  const { perPhone, perOrganizationPerMinute, validSeconds } = limits.otp
  const [admission] = await rows<Admission>(
    trx,
    `with clock as (select service_now() as now), waiting as (
       ${waits('phone', 'organization_id = :organizationId and phone = :phone')}
       union all
       ${waits('organization', 'organization_id = :organizationId')}
     ), admitted as (
       insert into otp_requests (id, organization_id, container_id, phone, mac, pepper, created_at, expires_at)
       select :requestId, :organizationId, :containerId, :phone, :mac, :pepper,
              now, now + :validSeconds * interval '1 s'
         from clock where not exists (select from waiting)
       returning expires_at
     )
     select (select expires_at from admitted) as "expiresAt", longest.scope, longest.wait::float8 as "waitSeconds"
       from clock left join (select * from waiting order by wait desc limit 1) longest on true`,
    {
      ...otp,
      validSeconds,
      phoneSeconds: perPhone.map(({ seconds }) => seconds),
      phoneCodes: perPhone.map(({ codes }) => codes),
      organizationSeconds: [60],
      organizationCodes: [perOrganizationPerMinute],
    },
  )
  if (!admission) throw new Error('admitting a code answered no row')
  return admission
}

/** Forgets a code that certainly never left: nobody has it, and it counts in no window. */
export async function deleteOtp(db: Db, organizationId: string, requestId: string): Promise<void> {
  await rows(db, 'delete from otp_requests where organization_id = :organizationId and id = :requestId', {
    organizationId,
    requestId,
  })
}

/** When the code of a request stops working, or undefined. */
export async function findExpiry(db: Db, organizationId: string, requestId: string): Promise<Date | undefined> {
  const [found] = await rows<{ expiresAt: Date }>(
    db,
    `select expires_at as "expiresAt" from otp_requests where organization_id = :organizationId and id = :requestId`,
    { organizationId, requestId },
  )
  return found?.expiresAt
}

/** Which request is meant, and by whom; a number's key sees only those of its own number. */
export interface OtpId {
  readonly organizationId: string
  readonly requestId: string
  readonly ownContainerId: string | null
}

const isMeant = `organization_id = :organizationId and id = :requestId
  and (:ownContainerId::uuid is null or container_id = :ownContainerId::uuid)`

/** A try that may be compared. */
export interface CountedTry {
  readonly requestId: string
  readonly phone: string
  readonly mac: Buffer
  readonly pepper: string
  /** Tries used, with this one. */
  readonly tries: number
}

/**
 * Counts a try, and hands out what to compare only to a try that was counted: of any number of guesses at once three
 * get through. Undefined when the request is not open (any more).
 */
export async function countTry(db: Db, id: OtpId): Promise<CountedTry | undefined> {
  const [counted] = await rows<CountedTry>(
    db,
    `update otp_requests set tries = tries + 1
      where ${isMeant} and verified_at is null and expires_at >= (select service_now()) and tries < :allowed
     returning id as "requestId", phone, mac, pepper, tries`,
    { ...id, allowed: limits.otp.tries },
  )
  return counted
}

/** How a request stands. */
export interface OtpStanding {
  readonly verified: boolean
  readonly expired: boolean
}

/** How a request stands now, or undefined for one that this caller has not. */
export async function findStanding(db: Db, id: OtpId): Promise<OtpStanding | undefined> {
  const [found] = await rows<OtpStanding>(
    db,
    `select verified_at is not null as verified, expires_at < (select service_now()) as expired
       from otp_requests where ${isMeant}`,
    { ...id },
  )
  return found
}

/** Writes that the right code was given; false when somebody else gave it first. */
export async function writeVerified(db: Db, id: OtpId): Promise<boolean> {
  const written = await rows(
    db,
    `update otp_requests set verified_at = (select service_now())
      where ${isMeant} and verified_at is null returning id`,
    { ...id },
  )
  return written.length > 0
}

/**
 * Deletes up to `limit` requests that no window counts and no Idempotency-Key repeats any more, an hour after the day
 * that both last. Answers how many there were; a periodic job calls it until 0.
 */
export async function forgetOldOtps(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from otp_requests where id = any(array(
       select id from otp_requests where created_at < (select service_now()) - interval '25 h' limit :limit))
     returning 1 as gone`,
    { limit },
  )
  return gone.length
}

const pepperName = 'otp.pepper'

/** The pepper that the service made for itself, or undefined. */
export async function findStoredPepper(db: Db): Promise<string | undefined> {
  const [found] = await rows<{ value: string }>(db, 'select value from server_secrets where name = :pepperName', {
    pepperName,
  })
  return found?.value
}

/** Stores a pepper and answers the one to use: of several processes that start at once, the first one's. */
export async function storePepper(db: Db, value: string): Promise<string> {
  await rows(db, 'insert into server_secrets (name, value) values (:pepperName, :value) on conflict do nothing', {
    pepperName,
    value,
  })
  return (await findStoredPepper(db)) ?? value
}
