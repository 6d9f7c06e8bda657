import type { GatewayEvent, GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'
import { afterCommit } from '#platform/db/wake.ts'
import { inWork } from '#platform/set-aside/work-store.ts'
import { type DueEvent, type Payload, toRow } from './event.ts'

const columns =
  'container_id uuid, organization_id uuid, after_ms float8, kind text, network_id text, person text, payload jsonb'

/** Adds events that the network will report; `afterMs` counts from the service time now. */
export async function addEvents(db: Db, events: readonly DueEvent[]): Promise<void> {
  if (events.length === 0) return
  await rows(
    db,
    `insert into sim_events (container_id, organization_id, due_at, kind, network_id, person, payload)
     select container_id, organization_id, (select service_now()) + after_ms * interval '1 millisecond',
            kind, network_id, person, payload
       from jsonb_to_recordset(:events::jsonb) as e(${columns})`,
    { events: JSON.stringify(events.map(toRow)) },
  )
  afterCommit(db, 'gateway')
}

/** When the next event and the next step of a link are due, and what time it is. */
export async function nextDue(db: Db): Promise<{ now: Date; eventAt: Date | null; stepAt: Date | null }> {
  const found = await rows<{ now: Date; eventAt: Date | null; stepAt: Date | null }>(
    db,
    `select (select service_now()) as now,
            (select due_at from sim_events where waits_for is null and ${notMoving('organization_id')}
              order by due_at, id limit 1) as event_at,
            (select step_at from sim_sessions where step_at is not null order by step_at limit 1) as step_at`,
  )
  return found[0] as { now: Date; eventAt: Date | null; stepAt: Date | null }
}

/** A due event that this transaction holds. */
export interface ClaimedEvent {
  readonly id: number
  readonly person: string | null
  /** Whether the phone is online, null where it was never put on or off. */
  readonly online: boolean | null
  /** Whether the link of the number lets events of this kind through. */
  readonly linkUp: boolean
  readonly event: GatewayEvent
}

interface ClaimedRow extends Pick<Row<'sim_events'>, 'id' | 'containerId' | 'organizationId' | 'dueAt' | 'person'> {
  online: boolean | null
  linkUp: boolean
  payload: Payload
}

/**
 * Claims due events, oldest first, and locks them until the transaction ends: no other process gets them until then,
 * and they are free again when this process dies.
 */
export async function claimDue(trx: Db, limit: number): Promise<ClaimedEvent[]> {
  // With old statistics the planner would rather sort the whole backlog than read the index: 110 ms for 500 of 21,000.
  await rows(trx, `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`)
  const claimed = await rows<ClaimedRow>(
    trx,
    `with due as materialized (
       select * from sim_events where waits_for is null and due_at <= (select service_now())
         and ${notMoving('organization_id')}
          and id not in (select item::bigint from (${inWork('simulated_events')}) as work(item))
        order by due_at, id limit :limit for update skip locked
     )
     select e.id, e.container_id, e.organization_id, e.due_at, e.person, p.online, e.payload,
            s.container_id is null
              or (not s.host_down and (s.status = 'WORKING' or e.kind = 'session.state')) as link_up
       from due e
       left join sim_sessions s on s.container_id = e.container_id
       left join sim_people p on p.digits = e.person
      order by e.due_at, e.id`,
    { limit },
  )
  return claimed.map((row) => ({
    id: row.id,
    person: row.person,
    online: row.online,
    linkUp: row.linkUp,
    event: {
      ...row.payload,
      containerId: row.containerId,
      organizationId: row.organizationId,
      at: row.dueAt,
    } as GatewayEvent,
  }))
}

/** Deletes events that were reported. */
export async function deleteEvents(trx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await rows(trx, 'delete from sim_events where id = any(:ids::bigint[])', { ids })
}

/** Deletes due reports of a number's state, because its present state is reported instead. */
export async function deletePastStates(trx: Db, { containerId, organizationId }: GatewaySession): Promise<void> {
  await trx('sim_events')
    .where({ containerId, organizationId, kind: 'session.state' })
    .where('dueAt', '<=', serviceNow(trx))
    .delete()
}

/** Delays an event that cannot be handled, so that it does not block the others. */
export async function postpone(db: Db, id: number, ms: number): Promise<void> {
  await db('sim_events')
    .where({ id })
    .update({ dueAt: serviceNow(db, ms) })
}

/**
 * Sets events aside until a phone or a link is back, if it is still away. The share locks make a transaction that
 * brings it back wait, and then find these rows. Locked rows are skipped; they become due again.
 */
export async function setAside(trx: Db, ids: readonly number[], startsOffline: readonly string[]): Promise<void> {
  await rows(
    trx,
    'insert into sim_people (digits, online) select unnest(:digits::text[]), false order by 1 on conflict do nothing',
    { digits: startsOffline },
  )
  await rows(
    trx,
    `select 1 from sim_people where digits in (select person from sim_events where id = any(:ids::bigint[]))
      order by digits for share`,
    { ids },
  )
  await rows(
    trx,
    `select 1 from sim_sessions where container_id in (select container_id from sim_events
        where id = any(:ids::bigint[]))
      order by container_id for share`,
    { ids },
  )
  await rows(
    trx,
    `with free as (
       select id from sim_events where id = any(:ids::bigint[]) and waits_for is null for update skip locked
     )
     update sim_events e set waits_for = w.waits_for
       from (
         select e.id,
                case when s.host_down
                  or (s.status <> 'WORKING' and e.kind <> 'session.state') then 'session:' || e.container_id
                     when not p.online then 'person:' || e.person end as waits_for
           from sim_events e
           join free on free.id = e.id
           left join sim_sessions s on s.container_id = e.container_id
           left join sim_people p on p.digits = e.person
       ) w
      where e.id = w.id and w.waits_for is not null`,
    { ids },
  )
}

/** Frees what waited for a phone (`person:<digits>`) or a link (`session:<container>`). */
export async function release(trx: Db, waitsFor: string): Promise<void> {
  await rows(
    trx,
    `update sim_events set waits_for = null, due_at = greatest(due_at, (select service_now()))
      where waits_for = :waitsFor`,
    { waitsFor },
  )
  afterCommit(trx, 'gateway')
}

/** Returns whether due events of a message have not been reported yet. */
export async function isPending(db: Db, containerId: string, networkId: string): Promise<boolean> {
  const left = await db('sim_events').where({ containerId, networkId }).where('dueAt', '<=', serviceNow(db)).first('id')
  return left !== undefined
}

/** Deletes the events of a number, without those that are being reported now. */
export async function deleteEventsOf(trx: Db, session: GatewaySession): Promise<void> {
  await rows(
    trx,
    `delete from sim_events where id in (
       select id from sim_events where container_id = :containerId and organization_id = :organizationId
          for update skip locked)`,
    { containerId: session.containerId, organizationId: session.organizationId },
  )
}
