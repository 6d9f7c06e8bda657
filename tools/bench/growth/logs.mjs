// What a service keeps for some time beside its messages, loaded by SQL: events with their deliveries, keys of
// requests, sends that the guard counts, and reminders.
import { randomUUID } from 'node:crypto'
import { patiently, withoutIndexes } from '../history/rows.mjs'

/**
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Numbers } from '../support/harness.mjs'
 */

const events = `
  insert into events (id, organization_id, position, event, data, message_id, created_at)
  select (encode(substr(int8send((extract(epoch from at) * 1000)::int8), 3),
        'hex') || '7000a' || substr(md5($1::text || n), 1, 15))::uuid,
         $1::uuid, $3::int - n, 'message.delivered', jsonb_build_object('containerId', $2::uuid, 'messageId',
             md5(n::text)::uuid),
         md5($1::text || n)::uuid, at
    from (select n, service_now() - n * (interval '30 days' / $3::int) as at
        from generate_series($3::int, 1, -1) n) made`

const deliveries = `
  insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, attempts, next_attempt_at,
      last_status,
                                  attempt_log, created_at, finished_at)
  select md5(id::text)::uuid, id, organization_id, $2::uuid, case when position % 1000 = 0 then 'dropped'
    else 'delivered' end, 1,
         created_at, 200, '[{"at": "2026-01-01T00:00:00.000Z", "status": 200, "error": null}]', created_at, created_at
    from events where organization_id = $1`

/** The keys of a day, and some that have expired. */
const keys = `
  insert into idempotency_keys (organization_id, credential, route, key, request_hash, status, body, created_at)
  select $1::uuid, 'key', 'POST /alert/send', n::text, sha256(n::text::bytea), 202,
         '{"success": true, "message": "queued"}',
         service_now() - interval '24 hours' - interval '1 second' - n * (interval '24 hours' / $2::int) + interval
           '24 hours' * ($2::int - 2000) / $2::int
    from generate_series($2::int, 1, -1) n`

const sends = `
  insert into guard_sends (organization_id, container_id, at, message_id, recipient, opens)
  select $1::uuid, $2::uuid,
         service_now() - interval '72 hours' - n * (interval '72 hours' / $3::int) + interval '72 hours' *
    ($3::int - 2000) / $3::int,
         md5(n::text)::uuid, n::text, n % 10 = 0
    from generate_series($3::int, 1, -1) n`

const reminders = `
  insert into reminders (id, organization_id, owner_id, container_id, phone, message, variables, repeat, time_zone,
      status,
                         send_at, first_send_at, due_at, created_at, updated_at)
  select md5($1::text || 'reminder' || n)::uuid, $1::uuid, $1::uuid, $2::uuid, n::text, 'x', '{}', 'none', 'UTC',
         case when n % 10 = 0 then 'scheduled' else 'done' end, at, at, at, at - interval '1 day', at
    from (select n, service_now() + interval '1 hour' + case when n % 10 = 0 then n
        else -n end * interval '1 minute' as at
            from generate_series(1, $3::int) n) made`

/**
 * Stores what belongs to a history of so many messages. Returns the id of the endpoint of its deliveries.
 * @param {Db} db
 * @param {Numbers & { messages: number }} history
 */
export async function fillLogs(db, { organizationId, ids: [containerId], messages }) {
  const endpointId = randomUUID()
  await patiently(
    db,
    `insert into webhooks (id, organization_id, main, url, secret, updated_at)
      values ($1, $2, true, 'https://example.com', 'none', service_now())`,
    [endpointId, organizationId],
  )
  /** @type {[table: string, insert: string, values: (string | number | undefined)[]][]} */
  const fills = [
    ['events', events, [organizationId, containerId, messages / 4]],
    ['webhook_deliveries', deliveries, [organizationId, endpointId]],
    ['idempotency_keys', keys, [organizationId, messages / 30 + 2000]],
    ['guard_sends', sends, [organizationId, containerId, messages / 10 + 2000]],
    ['reminders', reminders, [organizationId, containerId, messages / 100]],
  ]
  for (const [table, insert, values] of fills) {
    await withoutIndexes(db, table, () =>
      patiently(
        db,
        insert,
        values.map((value) => (typeof value === 'number' ? Math.floor(value) : value)),
      ),
    )
    await patiently(db, `vacuum analyze ${table}`)
  }
  await db.raw(
    `insert into event_positions (organization_id, last_position) values (?, ?)
     on conflict (organization_id) do update
       set last_position = greatest(event_positions.last_position, excluded.last_position)`,
    [organizationId, messages],
  )
  return endpointId
}
