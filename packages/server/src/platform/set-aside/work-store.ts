import { type Db, rows } from '#platform/db/db.ts'
import { lazily } from '#platform/db/lazily.ts'
import { setAsideKinds, type WorkKind } from './kinds.ts'
import { mostLost } from './suspicion.ts'

/** An item that a loop works on. */
export interface WorkItem {
  readonly id: string
  /** Null for an item that belongs to no organization. */
  readonly organizationId: string | null
}

/** Items of one kind that this process works on together. */
export interface WorkBatch {
  readonly id: string
  readonly kind: WorkKind
  readonly items: readonly WorkItem[]
}

/** A process that lives renews its leases several times in this time. */
const leaseMs = 20_000

const lease = `(select service_now()) + ${leaseMs} * interval '1 millisecond'`

function bindings({ id, kind, items }: WorkBatch) {
  return {
    id,
    kind,
    items: items.map((item) => item.id),
    organizations: items.map(({ organizationId }) => organizationId),
  }
}

/** Writes that the work on a batch begins. Pass the pool: it must be committed before the work. */
export async function insertBatch(db: Db, batch: WorkBatch): Promise<void> {
  await rows(
    db,
    `insert into work_batches (id, kind, items, organizations, lease_until)
     select :id, :kind, :items::text[], :organizations::uuid[], ${lease} from ${lazily}`,
    bindings(batch),
  )
}

/**
 * Does the same unless an item of it is suspected or in work, or a lease of its kind has expired. Returns whether it
 * did.
 */
export async function insertIfUnsuspected(db: Db, batch: WorkBatch): Promise<boolean> {
  const inserted = await rows(
    db,
    `insert into work_batches (id, kind, items, organizations, lease_until)
     select :id, :kind, :items::text[], :organizations::uuid[], ${lease} from ${lazily}
      where not exists (select from suspects where kind = :kind and item = any(:items::text[]))
        and not exists (select from work_batches
                         where kind = :kind and (items && :items::text[] or lease_until <= (select service_now())))
     returning id`,
    bindings(batch),
  )
  return inserted.length > 0
}

/** Renews the lease of a batch. */
export async function renewBatch(db: Db, id: string): Promise<void> {
  await rows(db, `update work_batches set lease_until = ${lease} from ${lazily} where id = :id`, { id })
}

/** Writes that the work on a batch has ended, and clears its items of suspicion. */
export async function endBatch(db: Db, batch: WorkBatch): Promise<void> {
  const { id, kind, items } = bindings(batch)
  await rows(
    db,
    `with lazy as (select lazily from ${lazily}), ended as (delete from work_batches using lazy where id = :id)
     delete from suspects where kind = :kind and item = any(:items::text[]) and set_aside_at is null`,
    { id, kind, items },
  )
}

/** Counts the processes that died with items of a kind: each left a batch whose lease was not renewed. */
export async function countLost(db: Db, kind: WorkKind): Promise<void> {
  await rows(
    db,
    `with lost as (
       delete from work_batches where kind = :kind and lease_until <= (select service_now())
       returning items, organizations
     )
     insert into suspects as s (kind, item, organization_id, lost_processes, lost_at)
     select :kind, item, min(organization_id::text)::uuid, count(*), (select service_now())
       from lost cross join unnest(items, organizations) as of_batch(item, organization_id)
      group by item order by item
     on conflict (kind, item) do update
        set lost_processes = s.lost_processes + excluded.lost_processes, lost_at = excluded.lost_at`,
    { kind },
  )
}

/** SQL: the items of a kind that a process works on, or died with a moment ago. */
export function inWork(kind: WorkKind): string {
  return `select unnest(items) from work_batches where kind = '${kind}' and lease_until > (select service_now())`
}

/** What is known of an item before the work on it begins. */
export interface Standing {
  readonly item: string
  /** Processes in a row that died with it. */
  readonly lostProcesses: number
  readonly isSetAside: boolean
  /** Whether a process works on it, as far as its lease says. */
  readonly isInWork: boolean
}

/**
 * Returns the standings of those of these items that are suspected or in work. `retryHours`: after them, an item set
 * aside is not so any more.
 */
export async function findStandings(
  db: Db,
  kind: WorkKind,
  items: readonly string[],
  retryHours: number | null,
): Promise<Map<string, Standing>> {
  const found = await rows<Standing>(
    db,
    `select item, coalesce(s.lost_processes, 0) as lost_processes, w.item is not null as is_in_work,
            coalesce(s.set_aside_at > (select service_now()) - :retryHours::int * interval '1 hour',
                s.set_aside_at is not null)
              as is_set_aside
       from (select item, lost_processes, set_aside_at from suspects where kind = :kind
           and item = any(:items::text[])) s
       full join (select distinct unnest(items) as item from work_batches
                   where kind = :kind and items && :items::text[]) w using (item)`,
    { kind, items, retryHours },
  )
  return new Map(found.map((standing) => [standing.item, standing]))
}

/** Writes that no loop works on an item any more. */
export async function writeSetAside(
  db: Db,
  kind: WorkKind,
  { id, organizationId }: WorkItem,
  lostProcesses = mostLost,
): Promise<void> {
  await rows(
    db,
    `insert into suspects as s (kind, item, organization_id, lost_processes, lost_at, set_aside_at)
     values (:kind, :id, :organizationId, :lostProcesses, (select service_now()), (select service_now()))
     on conflict (kind, item) do update set set_aside_at = excluded.set_aside_at`,
    { kind, id, organizationId, lostProcesses },
  )
}

/**
 * Lets a loop work on an item again that was set aside: alone, and for one lost process. Returns whether there was one.
 */
export async function reopen(db: Db, kind: WorkKind, item: string): Promise<boolean> {
  const reopened = await rows(
    db,
    `update suspects set set_aside_at = null, lost_processes = :mostLost::int - 1
      where kind = :kind and item = :item and set_aside_at is not null returning item`,
    { kind, item, mostLost },
  )
  return reopened.length > 0
}

/** An item that was set aside. */
export interface SetAsideItem {
  readonly kind: WorkKind
  readonly item: string
  readonly organizationId: string | null
  readonly setAsideAt: Date
}

/** Which items that were set aside are listed; null for all. */
export interface SetAsideFilter {
  readonly kind: WorkKind | null
  readonly organizationId: string | null
  readonly limit: number
}

/** Returns the items that were set aside, the latest first. */
export async function listSetAside(db: Db, { kind, organizationId, limit }: SetAsideFilter): Promise<SetAsideItem[]> {
  return rows<SetAsideItem>(
    db,
    `select kind, item, organization_id, set_aside_at from suspects
      where set_aside_at is not null and (:kind::text is null or kind = :kind)
        and (:organizationId::uuid is null or organization_id = :organizationId)
      order by set_aside_at desc, kind, item limit :limit`,
    { kind, organizationId, limit },
  )
}

/** Takes an item from the list of those that were set aside. Returns whether it was there. */
export async function deleteSetAside(db: Db, kind: WorkKind, item: string): Promise<boolean> {
  return (await db('suspects').where({ kind, item }).whereNotNull('setAsideAt').delete()) > 0
}

/** How long the list keeps an item whose end is final, and how long a suspicion lasts. */
const [keptDays, suspectedDays] = [30, 1]

const stayingKinds = Object.entries(setAsideKinds).flatMap(([kind, { stays }]) => (stays ? [kind] : []))

/**
 * Deletes up to `limit` suspects: items that no process died with for a day, and those that were set aside 30 days ago
 * and wait for no retry. Returns how many there were.
 */
export async function deleteExpiredSuspects(db: Db, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from suspects where (kind, item) in (
       select kind, item from suspects
        where lost_at < (select service_now()) - :suspectedDays::int * interval '1 day'
          and (set_aside_at is null
               or set_aside_at < (select service_now()) - :keptDays::int * interval '1 day'
                  and kind <> all(:stayingKinds::text[]))
        limit :limit)
     returning item`,
    { suspectedDays, keptDays, stayingKinds, limit },
  )
  return deleted.length
}
