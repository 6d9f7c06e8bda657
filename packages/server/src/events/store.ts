import type { EventKind, Product } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** An event before it has a position. */
export interface EventRow {
  readonly id: string
  readonly organizationId: string
  readonly event: EventKind
  readonly data: object
  readonly messageId: string | null
  /** Made by POST /me/webhook/test: delivered, but in no list and no stream. */
  readonly sample: boolean
  /** The products of which one must be active for the event to be stored. */
  readonly audience: readonly Product[]
}

/**
 * Stores events with their positions and deliveries in one statement. Positions have no gaps: they are assigned under the
 * lock of the organization's row in event_positions, which the upsert takes in the order of organization ids and keeps
 * until the commit. The deliveries are created here, so that an event and its delivery are stored together; from then on
 * they belong to webhook/.
 */
export async function insertEvents(trx: Db, events: readonly EventRow[]): Promise<void> {
  const numbered = events.map((event, rank) => ({ ...event, rank }))
  await rows(
    trx,
    `with given as (
       select * from jsonb_to_recordset(:events::jsonb) as given
         (rank int, id uuid, "organizationId" uuid, event text, data jsonb, "messageId" uuid, sample boolean, audience text[])
     ), received as (
       select given.*, row_number() over (partition by "organizationId" order by given.rank) as offset_in_batch
       from given
       where exists (
         select from organization_products held
         join organizations on organizations.id = held.organization_id
         where held.organization_id = "organizationId" and held.product = any(audience) and held.paused_at is null
           and (held.granted_at is not null or organizations.trial_ends_at > (select service_now()))
       )
     ), positions as (
       insert into event_positions as kept (organization_id, last_position)
       select "organizationId", count(*) from received group by "organizationId" order by "organizationId"
       on conflict (organization_id) do update set last_position = kept.last_position + excluded.last_position
       returning organization_id, last_position
     ), stored as (
       insert into events (id, organization_id, position, event, data, message_id, sample, created_at)
       select id, organization_id, last_position - count(*) over (partition by organization_id) + offset_in_batch,
              event, data, "messageId", sample, (select service_now())
       from received join positions on positions.organization_id = received."organizationId"
       returning id, organization_id, created_at
     )
     insert into webhook_deliveries (id, event_id, organization_id, status, next_attempt_at, created_at)
     select stored.id, stored.id, organization_id, 'pending', stored.created_at, stored.created_at
     from stored join webhooks using (organization_id)
     where webhooks.url is not null`,
    { events: JSON.stringify(numbered, storable) },
  )
}

/** Postgres rejects NUL and unpaired surrogates in jsonb. Text from outside must not make the transaction fail. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd') : value
}
