// What decision 0065 weighs: deleting a day of events and deliveries, or dropping its partitions, and what partitions
// cost.
import { refusal } from '../../scripts/process.mjs'
import { start } from './programs.mjs'
import { operate, settings } from './service.mjs'

/** @import { Postgres } from './postgres.mjs' */
/** @import { Context } from './service.mjs' */

/** Events of the day that ends; each has a delivery. */
const rows = Number(process.env.RETENTION_ROWS ?? 50_000)
const days = 31
const rounds = 3000

/**
 * An id of version 7 of a time in milliseconds: SQL.
 *
 * @param {string} ms
 */
const idAt = (ms) => `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid`
const nowMs = `(extract(epoch from clock_timestamp()) * 1000)::bigint`
const oldMs = `((extract(epoch from now()) - ${days} * 86400) * 1000)::bigint`
/** @param {string} day */
const boundAt = (day) =>
  `(lpad(to_hex(((extract(epoch from date_trunc('day', now())) + ${day} * 86400) * 1000)::bigint), 12, '0') || ` +
  `repeat('0', 20))::uuid`

const organization = '00000000-0000-7000-8000-000000000001'

/**
 * SQL that makes tables by day beside the real ones, with the same columns and indexes but those that partitions
 * refuse.
 */
const partitioned = `
  create table events_by_day (like events including defaults) partition by range (id);
  alter table events_by_day add primary key (id);
  create index on events_by_day (organization_id, position);
  create index on events_by_day (organization_id, ((data ->> 'containerId')), position);
  create table deliveries_by_day (like webhook_deliveries including defaults) partition by range (id);
  alter table deliveries_by_day add primary key (id);
  create index on deliveries_by_day (endpoint_id, next_attempt_at) where status = 'pending';
  create index on deliveries_by_day (event_id);
  create index on deliveries_by_day (organization_id, status, created_at desc, id desc);
  do $$ begin
    for day in -${days}..1 loop
      execute format('create table events_by_day_%s partition of events_by_day for values from (%L) to (%L)',
        day + ${days}, (select ${boundAt('day')}), (select ${boundAt('(day + 1)')}));
      execute format('create table deliveries_by_day_%s partition of deliveries_by_day for values from (%L) to (%L)',
        day + ${days}, (select ${boundAt('day')}), (select ${boundAt('(day + 1)')}));
    end loop;
  end $$`

/** @param {string} n */
const eventValues = (n) =>
  `'${organization}', ${n}, 'message.delivered', jsonb_build_object('containerId', '${organization}', 'id', ${n})`

/**
 * @param {string} events
 * @param {string} deliveries
 */
function fill(events, deliveries) {
  return `
  with made as (
    insert into ${events} (id, organization_id, position, event, data, created_at)
    select ${idAt(`${oldMs} + n % 1000`)}, ${eventValues('n')}, now() - interval '${days} days'
      from generate_series(1, ${rows}) n returning id, created_at
  )
  insert into ${deliveries} (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
  select id, id, '${organization}', '${organization}', 'delivered', created_at, created_at from made`
}

/**
 * The hot path, row by row: an event with its delivery, a read of the newest events, a claim and its outcome. `run`
 * counts how often it ran on these tables: positions are unique.
 *
 * @param {string} events
 * @param {string} deliveries
 * @param {string} kind
 * @param {number} [run]
 */
function hotPath(events, deliveries, kind, run = 0) {
  const last = rows + run * rounds
  return `
  do $$ declare begun timestamptz; one uuid; begin
    begun := clock_timestamp();
    for n in 1..${rounds} loop
      one := ${idAt(nowMs)};
      insert into ${events} (id, organization_id, position, event, data, created_at)
      values (one, ${eventValues(`${last} + n`)}, clock_timestamp());
      insert into ${deliveries} (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
      values (one, one, '${organization}', '${organization}', 'pending', clock_timestamp(), clock_timestamp());
    end loop;
    insert into timings values ('${kind}', 'append', extract(epoch from clock_timestamp() - begun) * 1e6 / ${rounds});
    begun := clock_timestamp();
    for n in 1..${rounds} loop
      perform id from ${events} where organization_id = '${organization}' and position > ${last} + n order by position
        limit 100;
    end loop;
    insert into timings values ('${kind}', 'tail', extract(epoch from clock_timestamp() - begun) * 1e6 / ${rounds});
    begun := clock_timestamp();
    for n in 1..${rounds} loop
      update ${deliveries} set status = 'delivered' where id in (
        select id from ${deliveries} where endpoint_id = '${organization}' and status = 'pending'
           and next_attempt_at <= clock_timestamp() order by next_attempt_at limit 1 for update skip locked);
    end loop;
    insert into timings values ('${kind}', 'claim', extract(epoch from clock_timestamp() - begun) * 1e6 / ${rounds});
  end $$`
}

/**
 * Returns the seconds that statements take.
 *
 * @param {Postgres['psql']} psql
 * @param {string[]} statements
 */
function timed(psql, ...statements) {
  const begun = performance.now()
  for (const statement of statements) psql('msgctl', statement)
  return (performance.now() - begun) / 1000
}

/**
 * Measures both ways. Nothing of it is a bound: it prints what decision 0065 quotes.
 *
 * @param {Context} context
 * @param {string} databaseUrl
 * @param {Postgres} postgres
 */
export async function measureRetention({ folder, packed }, databaseUrl, { psql }) {
  operate(packed, settings(folder, databaseUrl), 'migrate')
  psql('msgctl', 'create table timings (kind text, what text, microseconds numeric)')
  psql('msgctl', partitioned)
  psql('msgctl', fill('events', 'webhook_deliveries'))
  psql('msgctl', fill('events_by_day', 'deliveries_by_day'))
  psql('msgctl', 'vacuum analyze')
  psql('msgctl', hotPath('events', 'webhook_deliveries', 'plain'))
  psql('msgctl', hotPath('events_by_day', 'deliveries_by_day', 'by day'))
  // The statement of the job events.purge, in its batches, each committed.
  psql(
    'msgctl',
    `create procedure purge() language plpgsql as $$ begin
       loop
         delete from events where id = any(array(
           select id from events where created_at < now() - interval '30 days' order by created_at limit 1000));
         exit when not found;
         commit;
       end loop;
     end $$`,
  )
  const purge = start('psql', [databaseUrl, '-v', 'ON_ERROR_STOP=1', '-c', '\\timing on', '-c', 'call purge()'])
  let isPurging = true
  const ended = purge.ended.finally(() => {
    isPurging = false
  })
  for (let run = 1; isPurging; run++) {
    psql('msgctl', hotPath('events', 'webhook_deliveries', 'plain while deleting', run))
    // Only after that the end of the other process is noticed.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const code = await ended
  const deleted = Number(/^Time: ([\d.]+) ms/m.exec(purge.output())?.[1]) / 1000
  if (code !== 0) throw refusal(`The delete ended with ${code}:\n${purge.output()}`)
  const vacuumed = timed(psql, 'vacuum events', 'vacuum webhook_deliveries')
  const dropped = timed(psql, 'drop table deliveries_by_day_0', 'drop table events_by_day_0')
  const hot = psql(
    'msgctl',
    `select string_agg(kind || ' ' || what || ' ' || round(mean) || ' us', ', ' order by what, kind desc)
       from (select kind, what, avg(microseconds) as mean from timings group by 1, 2) t`,
  )
  return (
    `${rows} events with deliveries: deleted in ${deleted.toFixed(1)} s + vacuum ${vacuumed.toFixed(1)} s, ` +
    `dropped in ${dropped.toFixed(2)} s; ${hot}`
  )
}
