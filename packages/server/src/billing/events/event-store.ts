import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** An event of the provider, as it is stored. */
export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly customerId: string | null
  readonly chargeId: string | null
  readonly providerAt: Date
}

/** Stores an event. Returns false when it was stored before. */
export async function insertEvent(trx: Db, event: StoredEvent): Promise<boolean> {
  const stored = await rows(
    trx,
    `insert into payment_events (id, type, customer_id, charge_id, provider_at, received_at)
     values (:id, :type, :customerId, :chargeId, :providerAt, service_now()) on conflict (id) do nothing returning id`,
    { ...event },
  )
  if (stored.length > 0 && event.customerId === null) afterCommit(trx, 'billing')
  return stored.length > 0
}

/** Writes that a refresh of a customer began after its events so far. */
export async function markSeen(trx: Db, customerId: string): Promise<void> {
  await rows(
    trx,
    `update payment_events set seen_at = (select service_now())
      where customer_id = :customerId and seen_at is null
        and exists (select from billing_accounts a where a.customer_id = :customerId and a.seen = a.wanted)`,
    { customerId },
  )
}

/** Writes that nothing more follows from the events of a customer, who is gone. */
export async function closeEvents(trx: Db, customerId: string): Promise<void> {
  await rows(
    trx,
    'update payment_events set seen_at = (select service_now()) where customer_id = :customerId and seen_at is null',
    { customerId },
  )
}

/** Writes that nothing follows from an event, or whom it is about. */
export async function settleEvent(trx: Db, id: string, customerId: string | null, isSeen: boolean): Promise<void> {
  await rows(
    trx,
    `update payment_events set customer_id = coalesce(:customerId, customer_id),
            seen_at = case when :isSeen then (select service_now()) end
      where id = :id`,
    { id, customerId, isSeen },
  )
}

const isNameless = 'seen_at is null and customer_id is null'
/** SQL condition: whether there are events that name a charge and no customer. */
export const hasNamelessEvents = anyRow(`payment_events where ${isNameless} order by received_at`)

/** Returns events that name a charge and no customer, the oldest first. */
export async function listNamelessEvents(
  db: Db,
  limit: number,
): Promise<{ readonly id: string; readonly chargeId: string | null }[]> {
  return rows(db, `select id, charge_id from payment_events where ${isNameless} order by received_at limit :limit`, {
    limit,
  })
}

/** Deletes up to `limit` events that are older than `days`. Returns how many there were. */
export async function deleteExpiredEvents(db: Db, days: number, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from payment_events where id in (
       select id from payment_events where received_at < (select service_now()) - :days::int * interval '1 day'
        limit :limit)
     returning id`,
    { days, limit },
  )
  return deleted.length
}
