import type { Stripe } from 'stripe'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows } from '#platform/db/db.ts'

/** One delivery that was tried: when, and the status of the response (0: none). */
export interface Delivery {
  readonly at: string
  readonly status: number
}

/** An event, with what became of it: `deliveries` is a list of {@link Delivery}. */
export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly content: unknown
  readonly attempts: number
  readonly createdAt: Date
  readonly deliveries: unknown
}

/** Stores what happened, to be delivered; `held` keeps it until it is released, `dropped` for ever. */
export async function addEvents(
  trx: Db,
  customerId: string,
  events: readonly Stripe.Event[],
  fate: 'deliver' | 'held' | 'dropped',
): Promise<void> {
  if (events.length === 0) return
  const added = events.map((event) => ({
    id: event.id,
    customerId,
    type: event.type,
    content: event,
    createdAt: new Date(event.created * 1000),
    dueAt: fate === 'deliver' ? new Date(event.created * 1000) : null,
    held: fate === 'held',
  }))
  await trx('sim_pay_events').insert(added)
}

/** SQL condition: whether an event is due. */
export const hasDueEvents = anyRow('sim_pay_events where due_at <= (select service_now()) order by due_at')

/** Takes events that are due for delivery, the longest due first; no other process gets them for a minute. */
export async function claimEvents(db: Db, limit: number): Promise<StoredEvent[]> {
  return rows<StoredEvent>(
    db,
    `with due as (
       select id, due_at from sim_pay_events where due_at <= (select service_now())
        order by due_at, position limit :limit for update skip locked
     ), claimed as (
       update sim_pay_events e set due_at = (select service_now()) + interval '60 seconds', attempts = attempts + 1
         from due where e.id = due.id
       returning due.due_at as was_due_at, e.id, e.position, e.type, e.content, e.attempts, e.created_at, e.deliveries
     )
     select id, type, content, attempts, created_at, deliveries from claimed order by was_due_at, position`,
    { limit },
  )
}

/** Notes how a delivery ended, and when the next one is due (null: never). */
export async function endDelivery(db: Db, id: string, delivery: Delivery, nextInSeconds: number | null): Promise<void> {
  await rows(
    db,
    `update sim_pay_events
        set deliveries = deliveries || :delivery::jsonb,
            due_at = (select service_now()) + :nextInSeconds::float8 * interval '1 second'
      where id = :id`,
    { id, delivery: JSON.stringify([delivery]), nextInSeconds },
  )
}

/** Returns one event. */
export async function findEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  const [found] = await rows<StoredEvent>(
    db,
    'select id, type, content, attempts, created_at, deliveries from sim_pay_events where id = :id',
    { id },
  )
  return found
}

/** Returns the events of customers, oldest first. */
export async function eventsOf(db: Db, customerIds: readonly string[]): Promise<StoredEvent[]> {
  return rows<StoredEvent>(
    db,
    `select id, type, content, attempts, created_at, deliveries from sim_pay_events
      where customer_id = any(:customerIds::text[]) order by position`,
    { customerIds },
  )
}

/** Returns the newest events of all, newest first. */
export async function lastEvents(db: Db, limit: number): Promise<Stripe.Event[]> {
  const found = await rows<{ content: unknown }>(
    db,
    'select content from sim_pay_events order by position desc limit :limit',
    { limit },
  )
  return found.map(({ content }) => content as Stripe.Event)
}

/** Makes what was held due, the newest first. */
export async function releaseEvents(db: Db, owner: string): Promise<void> {
  await rows(
    db,
    `update sim_pay_events e
        set held = false,
            due_at = (select service_now()) - interval '1 hour' - e.position * interval '1 millisecond'
       from sim_pay_customers c
      where c.id = e.customer_id and c.owner = :owner and e.held`,
    { owner },
  )
}
