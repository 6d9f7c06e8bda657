import type { GatewaySession } from '@msgctl/network/session'
import { type Db, rows } from '#platform/db/db.ts'

const ofNumber = 'container_id = :containerId and organization_id = :organizationId'

/** Returns the limits of an account that were reported last, as JSON; null when none were. */
export async function readLimits(db: Db, { containerId, organizationId }: GatewaySession): Promise<string | null> {
  const [found] = await rows<{ limits: string | null }>(db, `select limits from waha_sessions where ${ofNumber}`, {
    containerId,
    organizationId,
  })
  return found?.limits ?? null
}

/** Records the limits of an account that were reported. */
export async function writeLimits(
  db: Db,
  { containerId, organizationId }: GatewaySession,
  limits: string,
): Promise<void> {
  await rows(db, `update waha_sessions set limits = :limits where ${ofNumber}`, { containerId, organizationId, limits })
}

/**
 * Records that a number is restarted now, unless it was in the last `everySeconds`. Of several processes one may
 * restart it. Returns null then, else how many seconds ago it was restarted.
 */
export async function claimRepair(
  db: Db,
  { containerId, organizationId }: GatewaySession,
  everySeconds: number,
): Promise<number | null> {
  const claimed = await rows<{ containerId: string }>(
    db,
    `update waha_sessions set repaired_at = (select service_now())
      where ${ofNumber} and (repaired_at is null
         or repaired_at <= (select service_now()) - :everySeconds * interval '1 second')
      returning container_id`,
    { containerId, organizationId, everySeconds },
  )
  if (claimed.length > 0) return null
  const [found] = await rows<{ seconds: number }>(
    db,
    `select extract(epoch from service_now() - repaired_at)::float8 as seconds from waha_sessions where ${ofNumber}`,
    { containerId, organizationId },
  )
  return found?.seconds ?? 0
}

/** Returns when the network took a message of a number last; null when it took none. */
export async function readTaken(db: Db, { containerId, organizationId }: GatewaySession): Promise<Date | null> {
  const [found] = await rows<{ takenAt: Date | null }>(db, `select taken_at from waha_sessions where ${ofNumber}`, {
    containerId,
    organizationId,
  })
  return found?.takenAt ?? null
}

/** Records that the network took a message of a number, unless it took a later one. */
export async function writeTaken(db: Db, { containerId, organizationId }: GatewaySession, at: Date): Promise<void> {
  await rows(db, `update waha_sessions set taken_at = greatest(taken_at, :at) where ${ofNumber}`, {
    containerId,
    organizationId,
    at,
  })
}

/** What a webhook is about: the state of a session is reported also by one that reports no messages. */
export type Heard = 'message' | 'state'

/** Records that a webhook of a number arrived, unless one of its kind was recorded in the last `everySeconds`. */
export async function writeHeard(
  db: Db,
  { containerId, organizationId }: GatewaySession,
  { kind, everySeconds }: { readonly kind: Heard; readonly everySeconds: number },
): Promise<void> {
  const [column, changes] =
    kind === 'message'
      ? ['message_heard_at', 'heard_at = (select service_now()), message_heard_at = (select service_now())']
      : ['heard_at', 'heard_at = (select service_now())']
  await rows(
    db,
    `update waha_sessions set ${changes}
      where ${ofNumber} and (${column} is null
         or ${column} <= (select service_now()) - :everySeconds * interval '1 second')`,
    { containerId, organizationId, everySeconds },
  )
}

/** How many numbers of a host work, and how long ago the last webhook of one of them arrived. */
export interface HeardOfHost {
  readonly working: number
  /** Seconds; null when none arrived. Up to five minutes too many: not every webhook is recorded. */
  readonly heardSecondsAgo: number | null
}

/** Returns this for each host that has numbers, by its id. */
export async function readHeardByHost(db: Db): Promise<Map<string, HeardOfHost>> {
  const found = await rows<HeardOfHost & { readonly hostId: string }>(
    db,
    `select host_id, count(*) filter (where reported_status = 'WORKING')::int as working,
            extract(epoch from (select service_now()) - max(heard_at))::float8 as heard_seconds_ago
       from waha_sessions group by host_id`,
  )
  return new Map(found.map(({ hostId, working, heardSecondsAgo }) => [hostId, { working, heardSecondsAgo }]))
}

/** A number that works and reported nothing for a time. */
interface QuietSession extends GatewaySession {
  /** Since when at least; null when it is not known. */
  readonly since: Date | null
  /** Whether it was restarted before, and reported no message since then. A restart itself is reported. */
  readonly isBeyondRepair: boolean
}

/**
 * Claims numbers of a host that work, reported nothing for `forSeconds`, and were not examined for as long: up to
 * `limit`, the ones first that were not examined for the longest time.
 */
export function claimQuiet(
  db: Db,
  hostId: string,
  { forSeconds, limit }: { readonly forSeconds: number; readonly limit: number },
): Promise<QuietSession[]> {
  return rows<QuietSession>(
    db,
    `with due as materialized (
       select container_id, coalesce(heard_at, examined_at) as since,
              repaired_at is not null and coalesce(message_heard_at < repaired_at, true) as beyond_repair
         from waha_sessions
        where host_id = :hostId and reported_status = 'WORKING'
          and (heard_at is null or heard_at <= (select service_now()) - :forSeconds * interval '1 second')
          and (examined_at is null or examined_at <= (select service_now()) - :forSeconds * interval '1 second')
        order by examined_at nulls first, container_id limit :limit for update skip locked
     )
     update waha_sessions s set examined_at = (select service_now())
       from due where s.container_id = due.container_id
     returning s.container_id, s.organization_id, due.since, due.beyond_repair as is_beyond_repair`,
    { hostId, forSeconds, limit },
  )
}

/** Lets numbers be examined again at the next poll. */
export async function releaseQuiet(db: Db, sessions: readonly GatewaySession[]): Promise<void> {
  await rows(db, 'update waha_sessions set examined_at = null where container_id = any(:ids::uuid[])', {
    ids: sessions.map(({ containerId }) => containerId),
  })
}
