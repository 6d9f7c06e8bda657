/**
 * The event log and the outbox. A position is given under the lock of the organization's row in event_positions, held
 * until commit: positions of one organization become visible in their order, so that a resumed tail never skips one.
 */
export const eventsAndWebhooks = `
create table event_positions (
  organization_id uuid primary key,
  last_position bigint not null
) with (fillfactor = 50);

create table events (
  id uuid primary key,
  organization_id uuid not null,
  position bigint not null,
  event text not null,
  data jsonb not null,
  message_id uuid,
  created_at timestamptz not null,
  unique (organization_id, position)
);
create index events_age on events (created_at);
create index events_message on events (message_id) where message_id is not null;

create table webhooks (
  organization_id uuid primary key references organizations on delete cascade,
  url text,
  secret text,
  previous_secret text,
  previous_until timestamptz,
  updated_at timestamptz not null
);

-- One row for each event and for each replay of it; the first one has the id of its event.
create table webhook_deliveries (
  id uuid primary key,
  event_id uuid not null references events on delete cascade,
  organization_id uuid not null,
  status text not null check (status in ('pending', 'delivered', 'dropped')),
  replay boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  last_status integer,
  last_error text,
  -- One entry an attempt: at, status, error, durationMs.
  attempt_log jsonb not null default '[]',
  created_at timestamptz not null,
  finished_at timestamptz
) with (fillfactor = 80);
-- A claim hops from one organization to the next, so that the long queue of one costs the others nothing.
create index webhook_deliveries_due on webhook_deliveries (organization_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_newest on webhook_deliveries (organization_id, created_at desc, id desc);
create index webhook_deliveries_dropped on webhook_deliveries (organization_id, created_at desc, id desc)
  where status = 'dropped';
`
