import { limits } from '@msgctl/contract'
import { crashPoint } from '../crash-points.ts'
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

const windowsLock = (organizationId: string) => `hashtextextended(concat_ws(' ', 'otp', ${organizationId}::text), 0)`

/** Waits until no other transaction counts codes of this organization. */
export async function lockWindows(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, `select pg_advisory_xact_lock(${windowsLock(':organizationId')})`, { organizationId })
}

/**
 * The same for codes of many organizations, without waiting for anybody. Answers the organizations whose codes nobody else
 * counts and whose number nobody else holds or removed; from then on it cannot be removed until the transaction ends.
 */
export async function tryWindows(trx: Db, otps: readonly NewOtp[]): Promise<Set<string>> {
  const free = await rows<{ id: string }>(
    trx,
    `select n.organization_id as id
       from unnest(:organizationIds::uuid[], :containerIds::uuid[]) as a (organization_id, container_id)
       join numbers n on n.organization_id = a.organization_id and n.id = a.container_id
      where pg_try_advisory_xact_lock(${windowsLock('a.organization_id')}) for key share of n skip locked`,
    {
      organizationIds: otps.map(({ organizationId }) => organizationId),
      containerIds: otps.map(({ containerId }) => containerId),
    },
  )
  return new Set(free.map(({ id }) => id))
}

/** When the code counted as the n-th last leaves its window; there is a wait while that lies ahead. */
function waits(scope: 'phone' | 'organization', whose: string): string {
  return `
    select asked.id, '${scope}' as scope, extract(epoch from taken.at + w.seconds * interval '1 s' - clock.now) as wait
      from clock, asked, unnest(:${scope}Seconds::int[], :${scope}Codes::int[]) as w (seconds, codes)
     cross join lateral (
       select o.created_at as at from otp_requests o where ${whose}
        order by o.created_at desc offset w.codes - 1 limit 1
     ) taken
     where taken.at > clock.now - w.seconds * interval '1 s'`
}

/**
 * Stores codes, each of another organization, unless one of its sliding windows is full (specification, "Limits").
 * Exact behind {@link lockWindows}, which must be a statement before: this one has to see what was committed until the
 * lock was free.
 */
export async function admitOtps(trx: Db, otps: readonly NewOtp[]): Promise<Admission[]> {
  if (otps.length === 0) return []
  const { perPhone, perOrganizationPerMinute, validSeconds } = limits.otp
  const admissions = await rows<Admission & { requestId: string }>(
    trx,
    `with clock as (select service_now() as now), asked as (
       select * from unnest(:ids::uuid[], :organizationIds::uuid[], :containerIds::uuid[], :phones::text[],
                            :macs::bytea[], :peppers::text[])
         as a (id, organization_id, container_id, phone, mac, pepper)
     ), waiting as (
       ${waits('phone', 'o.organization_id = asked.organization_id and o.phone = asked.phone')}
       union all
       ${waits('organization', 'o.organization_id = asked.organization_id')}
     ), admitted as (
       insert into otp_requests (id, organization_id, container_id, phone, mac, pepper, created_at, expires_at)
       select id, organization_id, container_id, phone, mac, pepper, now, now + :validSeconds * interval '1 s'
         from clock, asked where not exists (select from waiting where waiting.id = asked.id)
       returning id, expires_at
     )
     select asked.id as "requestId", admitted.expires_at as "expiresAt", longest.scope,
            longest.wait::float8 as "waitSeconds"
       from asked left join admitted using (id)
       left join lateral (
         select scope, wait from waiting where waiting.id = asked.id order by wait desc limit 1
       ) longest on true`,
    {
      ids: otps.map((otp) => otp.requestId),
      organizationIds: otps.map((otp) => otp.organizationId),
      containerIds: otps.map((otp) => otp.containerId),
      phones: otps.map((otp) => otp.phone),
      macs: otps.map((otp) => otp.mac),
      peppers: otps.map((otp) => otp.pepper),
      validSeconds,
      phoneSeconds: perPhone.map(({ seconds }) => seconds),
      phoneCodes: perPhone.map(({ codes }) => codes),
      organizationSeconds: [60],
      organizationCodes: [perOrganizationPerMinute],
    },
  )
  crashPoint('otp.code-stored')
  const byId = new Map(admissions.map((one) => [one.requestId, one]))
  return otps.map(({ requestId }) => {
    const admission = byId.get(requestId)
    if (!admission) throw new Error('admitting a code answered no row')
    return admission
  })
}

/** Forgets a code that certainly never left: nobody has it, and it counts in no window. */
export async function deleteOtp(db: Db, id: Pick<NewOtp, 'organizationId' | 'requestId'>): Promise<void> {
  await rows(db, 'delete from otp_requests where organization_id = :organizationId and id = :requestId', { ...id })
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
export interface OtpStatus {
  readonly verified: boolean
  readonly expired: boolean
}

/** How a request stands now, or undefined for one that this caller has not. */
export async function findOtpStatus(db: Db, id: OtpId): Promise<OtpStatus | undefined> {
  const [found] = await rows<OtpStatus>(
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

/** Gives back a try that was counted and whose code could not be compared. */
export async function refundTry(db: Db, id: OtpId): Promise<void> {
  await rows(db, `update otp_requests set tries = tries - 1 where ${isMeant} and tries > 0`, { ...id })
}

/** How many codes still work whose HMAC was made with a pepper that SECRETS_KEYS gave under another name than this. */
export async function countOpenOtherwise(db: Db, pepper: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from otp_requests
      where created_at > (select service_now()) - interval '1 h' and expires_at >= (select service_now())
        and verified_at is null and pepper not in (:pepper, 'stored')`,
    { pepper },
  )
  return counted?.count ?? 0
}

/**
 * Deletes up to `limit` requests that no window counts and no Idempotency-Key repeats any more, an hour after the day
 * that both last. Answers how many there were; a periodic job calls it until 0.
 */
export async function deleteExpiredOtps(db: Db, limit = 5000): Promise<number> {
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
