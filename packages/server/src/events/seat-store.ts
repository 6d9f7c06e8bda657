import { limits } from '@msgctl/contract'
import { type Db, rows, transaction } from '../db/db.ts'

/** The place of one open stream among those of its organization. */
export interface Seat {
  readonly id: string
  readonly organizationId: string
}

/** A process that has missed three heartbeats is taken for dead, and its streams no longer count. */
const leaseSeconds = 3 * limits.events.heartbeatSeconds
const leased = `(select service_now()) + ${leaseSeconds} * interval '1 second'`

/** Takes a seat; false when the organization has as many streams as it may have, over all processes. */
export async function takeSeat(db: Db, { id, organizationId }: Seat): Promise<boolean> {
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
    const taken = await rows(
      trx,
      `insert into event_streams (id, organization_id, until)
       select :id, :organizationId, ${leased}
        where (select count(*) from event_streams where organization_id = :organizationId) < :most
       returning id`,
      { id, organizationId, most: limits.events.streams },
    )
    return taken.length > 0
  })
}

/** Keeps the seats for another three heartbeats. */
export async function renewSeats(db: Db, seats: readonly Seat[]): Promise<void> {
  await rows(
    db,
    `insert into event_streams (id, organization_id, until)
     select seat.id, seat.organization_id, ${leased}
       from unnest(:ids::uuid[], :organizationIds::uuid[]) as seat (id, organization_id) order by seat.id
     on conflict (id) do update set until = excluded.until`,
    { ids: seats.map(({ id }) => id), organizationIds: seats.map(({ organizationId }) => organizationId) },
  )
}

/** Makes room for another stream. */
export async function leaveSeat(db: Db, { id, organizationId }: Seat): Promise<void> {
  await rows(db, 'delete from event_streams where organization_id = :organizationId and id = :id', {
    organizationId,
    id,
  })
}

/** Removes the seats of processes that died, of organizations that opened no stream since. All tenants are looked at. */
export async function deleteOldSeats(db: Db): Promise<void> {
  await rows(db, 'delete from event_streams where until <= (select service_now())')
}
