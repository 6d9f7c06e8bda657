import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import { afterCommit } from '#platform/db/wake.ts'
import { inWork } from '#platform/set-aside/work-store.ts'

/** A report of a host, as it arrived. */
export interface NewReport {
  readonly host: string
  /** The host's own id of it: a repeat has the same. */
  readonly eventId: string
  readonly containerId: string
  readonly organizationId: string
  readonly body: Uint8Array
}

/** Stores reports in their order, each event id of a host once. */
export async function insertReports(db: Db, driver: string, reports: readonly NewReport[]): Promise<void> {
  await rows(
    db,
    `insert into gateway_inbox (driver, host, event_id, container_id, organization_id, body)
     select :driver, r.host, r.event_id, r.container_id, r.organization_id, r.body
       from unnest(:hosts::text[], :eventIds::text[], :containers::uuid[], :organizations::uuid[], :bodies::bytea[])
              with ordinality as r (host, event_id, container_id, organization_id, body, n)
      order by r.n
     on conflict (driver, host, event_id) do nothing`,
    {
      driver,
      hosts: reports.map(({ host }) => host),
      eventIds: reports.map(({ eventId }) => eventId),
      containers: reports.map(({ containerId }) => containerId),
      organizations: reports.map(({ organizationId }) => organizationId),
      bodies: reports.map(({ body }) => Buffer.from(body)),
    },
  )
  afterCommit(db, 'inbox')
}

/** Returns about how many reports of a driver wait, from the first and the last id. */
export async function countBacklog(db: Db, driver: string): Promise<number> {
  const [range] = await rows<{ waiting: number }>(
    db,
    `select coalesce((select max(id) from gateway_inbox where driver = :driver and set_aside_at is null)
                   - (select min(id) from gateway_inbox where driver = :driver and set_aside_at is null) + 1,
                   0) as waiting`,
    { driver },
  )
  return range?.waiting ?? 0
}

/** A report that this transaction holds. */
export interface ClaimedReport extends NewReport {
  readonly id: number
  readonly attempts: number
  /** When it arrived, in milliseconds of the machine's clock, and what service time adds to that. */
  readonly arrivedMs: number
  readonly offsetMs: number
}

/** How much one claim may hold. */
export interface ClaimBounds {
  readonly reports: number
  readonly bytes: number
}

interface Candidate {
  readonly id: number
  readonly containerId: string
  readonly bytes: number
}

/** The oldest waiting reports among which a claim chooses. */
const window = 2000

/**
 * Claims reports of a driver, oldest first, until the transaction ends. The worker that holds the first report of a
 * number holds the number: others skip it, so that the reports of each number are handed out in order while several
 * workers run. A number whose first report waits for its next attempt, or was in work when a process died a moment ago,
 * is left out. It does not delay the others.
 */
export async function claimReports(trx: Db, driver: string, bounds: ClaimBounds): Promise<ClaimedReport[]> {
  const candidates = await lockNumbers(trx, driver, bounds.reports)
  const wanted = withinBounds(candidates, bounds)
  if (wanted.length === 0) return []
  const locked = await lockReports(
    trx,
    wanted.map(({ id }) => id),
  )
  return untilGap(wanted, locked)
}

/** Locks the first reports of numbers, and returns what waits of these numbers; of half of them when there is much. */
function lockNumbers(trx: Db, driver: string, many: number): Promise<Candidate[]> {
  return rows<Candidate>(
    trx,
    `with postponed as materialized (
       select container_id from gateway_inbox
        where driver = :driver and set_aside_at is null and attempts > 0 and due_at > (select service_now())
       union all
       select container_id from gateway_inbox where id = any(array(${inWork('reports')})::bigint[])
     ), oldest as materialized (
       select id, container_id, octet_length(body) as bytes from gateway_inbox
        where driver = :driver and set_aside_at is null and container_id not in (select container_id from postponed)
          and ${notMoving('organization_id')}
        order by id limit :window
     ), firsts as (
       select min(id) as id from oldest group by container_id
     ), locked as materialized (
       select id, container_id from gateway_inbox
        where id = any(array(select id from firsts)) and set_aside_at is null
        order by id
        limit (select case when (select count(*) from oldest) > :many then (count(*) + 1) / 2 else count(*) end
            from firsts)
          for update skip locked
     )
     select o.id, o.container_id, o.bytes from oldest o join locked l using (container_id)
      where o.id >= l.id order by o.id`,
    { driver, many, window },
  )
}

function withinBounds(candidates: readonly Candidate[], bounds: ClaimBounds): Candidate[] {
  let bytes = 0
  const end = candidates.findIndex((one, n) => {
    bytes += one.bytes
    return n >= bounds.reports || (n > 0 && bytes > bounds.bytes)
  })
  return candidates.slice(0, end === -1 ? candidates.length : end)
}

function lockReports(trx: Db, ids: readonly number[]): Promise<ClaimedReport[]> {
  return rows<ClaimedReport>(
    trx,
    `select id, host, event_id, container_id, organization_id, body,
            attempts, (extract(epoch from received_at) * 1000)::float8 - clock.offset_ms as arrived_ms,
            clock.offset_ms::float8 as offset_ms
       from gateway_inbox, (select offset_ms from service_clock) clock
      where id = any(:ids::bigint[]) order by id for update of gateway_inbox skip locked`,
    { ids },
  )
}

/** Drops what follows a report of the same number that another worker holds: it was stored late, with an earlier id. */
function untilGap(wanted: readonly Candidate[], locked: readonly ClaimedReport[]): ClaimedReport[] {
  const byId = new Map(locked.map((report) => [report.id, report]))
  const broken = new Set<string>()
  return wanted.flatMap(({ id, containerId }) => {
    const report = byId.get(id)
    if (!report) broken.add(containerId)
    return report && !broken.has(containerId) ? [report] : []
  })
}

/** Deletes reports that were handed out. */
export async function deleteReports(trx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await rows(trx, 'delete from gateway_inbox where id = any(:ids::bigint[])', { ids })
}

/** Delays a report that could not be handled, and counts the attempt. */
export async function postponeReport(db: Db, id: number, ms: number): Promise<void> {
  await rows(
    db,
    `update gateway_inbox set attempts = attempts + 1, due_at = (select service_now()) + :ms * interval '1 millisecond'
      where id = :id`,
    { id, ms },
  )
}

/** Sets reports aside: they are not handed out any more. */
export async function setAside(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await rows(
    db,
    `update gateway_inbox set attempts = attempts + 1, set_aside_at = (select service_now())
      where id = any(:ids::bigint[])`,
    { ids },
  )
}

/** Returns the times of the last messages of numbers, in milliseconds of the network's clock. */
export async function findLastTimes(trx: Db, containerIds: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ containerId: string; lastMs: number }>(
    trx,
    `select container_id, last_ms from gateway_last_times
      where container_id = any(:containerIds::uuid[])`,
    { containerIds },
  )
  return new Map(found.map(({ containerId, lastMs }) => [containerId, lastMs]))
}

/** Stores the times of the last messages of numbers. Numbers that were removed are left out. */
export async function saveLastTimes(trx: Db, times: ReadonlyMap<string, number>): Promise<void> {
  if (times.size === 0) return
  const sorted = [...times].sort(([a], [b]) => (a < b ? -1 : 1))
  await rows(
    trx,
    `insert into gateway_last_times (container_id, organization_id, last_ms)
     select n.id, n.organization_id, t.last_ms
       from unnest(:containerIds::uuid[], :lastMs::bigint[]) as t(id, last_ms) join numbers n on n.id = t.id
      order by n.id for key share of n
     on conflict (container_id) do update set last_ms = greatest(gateway_last_times.last_ms, excluded.last_ms)`,
    { containerIds: sorted.map(([id]) => id), lastMs: sorted.map(([, ms]) => ms) },
  )
}

/**
 * Deletes up to `limit` reports that were set aside a week ago, and returns how many; a job calls it until it returns
 * 0.
 */
export async function deleteExpiredReports(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from gateway_inbox where id = any(array(
       select id from gateway_inbox where set_aside_at < (select service_now()) - interval '7 days' limit :limit))
     returning 1 as gone`,
    { limit },
  )
  return gone.length
}

/** Sets aside all reports that wait, of all drivers: they may have been handled. Returns how many there were. */
export async function setAsideWaiting(trx: Db): Promise<number> {
  return trx('gateway_inbox')
    .whereNull('setAsideAt')
    .update({ setAsideAt: serviceNow(trx) })
}
