import { limits } from '@msgctl/contract'
import { type Db, rows, transaction } from '../db/db.ts'

/** The place of one open stream among those of its organization. */
export interface StreamLease {
  readonly id: string
  readonly organizationId: string
}

/** A process that has missed three heartbeats is taken for dead, and its streams no longer count. */
const leaseSeconds = 3 * limits.events.heartbeatSeconds
const leased = `(select service_now()) + ${leaseSeconds} * interval '1 second'`

/** Takes a seat; false when the organization has as many streams as it may have, over all processes. */
export async function acquireLease(db: Db, { id, organizationId }: StreamLease): Promise<boolean> {
  return transaction(db, async (trx) => {
    // Two that come at once would both count one place as free.
    await rows(trx, `select pg_advisory_xact_lock(hashtextextended('event streams of ' || :organizationId, 0))`, {
      organizationId,
    })
    await rows(
      trx,
      'delete from event_streams where organization_id = :organizationId and until <= (select service_now())',
      { organizationId },
    )
    const inserted = await rows(
      trx,
      `insert into event_streams (id, organization_id, until)
       select :id, :organizationId, ${leased}
        where (select count(*) from event_streams where organization_id = :organizationId) < :most
       returning id`,
      { id, organizationId, most: limits.events.streams },
    )
    return inserted.length > 0
  })
}

/** Keeps the seats for another three heartbeats. */
export async function renewLeases(db: Db, leases: readonly StreamLease[]): Promise<void> {
  await rows(
    db,
    `insert into event_streams (id, organization_id, until)
     select seat.id, seat.organization_id, ${leased}
       from unnest(:ids::uuid[], :organizationIds::uuid[]) as seat (id, organization_id) order by seat.id
     on conflict (id) do update set until = excluded.until`,
    { ids: leases.map(({ id }) => id), organizationIds: leases.map(({ organizationId }) => organizationId) },
  )
}

/** Makes room for another stream. */
export async function releaseLease(db: Db, { id, organizationId }: StreamLease): Promise<void> {
  await rows(db, 'delete from event_streams where organization_id = :organizationId and id = :id', {
    organizationId,
    id,
  })
}

/** Removes the seats of processes that died, of organizations that opened no stream since. All tenants are looked at. */
export async function deleteExpiredLeases(db: Db): Promise<void> {
  await rows(db, 'delete from event_streams where until <= (select service_now())')
}
