import { limits } from '@msgctl/contract'
import { type Db, rows, serviceNow, transaction } from '#platform/db/db.ts'

/** What a stream follows: the event log, or the overview. Each kind has a limit of its own. */
export type StreamKind = 'events' | 'overview'

const most: Readonly<Record<StreamKind, number>> = { events: limits.events.streams, overview: limits.overview.streams }

/** The lease of one open stream. */
export interface StreamLease {
  readonly kind: StreamKind
  readonly id: string
  readonly organizationId: string
}

/** The leases of a process that has missed three heartbeats expire. */
const leaseSeconds = 3 * limits.events.heartbeatSeconds

/** Acquires a lease. Returns false if the organization has reached its limit of streams over all processes. */
export async function acquireLease(db: Db, { kind, id, organizationId }: StreamLease): Promise<boolean> {
  return transaction(db, async (trx) => {
    // Without the lock, two concurrent streams could both take the last lease.
    await rows(trx, `select pg_advisory_xact_lock(hashtextextended('event streams of ' || :organizationId, 0))`, {
      organizationId,
    })
    await trx('event_streams').where({ organizationId }).where('until', '<=', serviceNow(trx)).delete()
    const inserted = await rows(
      trx,
      `insert into event_streams (id, organization_id, kind, until)
       select :id, :organizationId, :kind, (select service_now()) + :leaseSeconds * interval '1 second'
        where (select count(*) from event_streams where organization_id = :organizationId and kind = :kind) < :most
       returning id`,
      { id, organizationId, kind, leaseSeconds, most: most[kind] },
    )
    return inserted.length > 0
  })
}

/** Returns how many streams of each kind are open, of all processes. */
export async function countOpenStreams(db: Db, organizationId: string): Promise<Record<StreamKind, number>> {
  const counted = await rows<{ kind: StreamKind; count: number }>(
    db,
    `select kind, count(*)::int as count from event_streams
      where organization_id = :organizationId and until > (select service_now()) group by kind`,
    { organizationId },
  )
  return { events: 0, overview: 0, ...Object.fromEntries(counted.map(({ kind, count }) => [kind, count])) }
}

/** Renews leases for another three heartbeats. */
export async function renewLeases(db: Db, leases: readonly StreamLease[]): Promise<void> {
  await rows(
    db,
    `insert into event_streams (id, organization_id, kind, until)
     select lease.id, lease.organization_id, lease.kind, (select service_now()) + :leaseSeconds * interval '1 second'
       from unnest(:ids::uuid[], :organizationIds::uuid[], :kinds::text[]) as lease (id, organization_id, kind)
      order by lease.id
     on conflict (id) do update set until = excluded.until`,
    {
      leaseSeconds,
      ids: leases.map(({ id }) => id),
      organizationIds: leases.map(({ organizationId }) => organizationId),
      kinds: leases.map(({ kind }) => kind),
    },
  )
}

/** Releases the lease of a stream. */
export async function releaseLease(db: Db, { id, organizationId }: StreamLease): Promise<void> {
  await db('event_streams').where({ organizationId, id }).delete()
}

/** Deletes the expired leases of all organizations: those of processes that died. */
export async function deleteExpiredLeases(db: Db): Promise<void> {
  await db('event_streams').where('until', '<=', serviceNow(db)).delete()
}
