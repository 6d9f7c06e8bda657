/**
 * The simulated network: the numbers linked to it, the messages it took, and what it still has to tell. It is not the
 * service's data: another driver leaves these tables empty.
 */
export const simulatedNetwork = `
-- machine holds the state of one link as the session rules know it; the columns beside it are what others look for.
create table sim_sessions (
  container_id uuid primary key,
  organization_id uuid not null,
  status text not null,
  phone text,
  host_down boolean not null default false,
  restricted_until timestamptz,
  contacts_synced_at timestamptz,
  step_at timestamptz,
  machine jsonb not null,
  profile jsonb not null
) with (fillfactor = 70);
create index sim_sessions_step on sim_sessions (step_at) where step_at is not null;
create index sim_sessions_phone on sim_sessions (phone) where phone is not null;

-- Only people whose phone was put on or off by hand, or is off from the beginning, have a row.
create table sim_people (
  digits text primary key,
  online boolean not null
);

create table sim_messages (
  id bigint generated always as identity primary key,
  container_id uuid not null,
  organization_id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  client_id text not null,
  network_id text not null,
  chat text not null,
  content jsonb not null,
  typed boolean not null,
  -- Taken by the network, which then could not deliver it: it never reached a phone.
  failed boolean not null,
  at timestamptz not null,
  seen_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 95);
create unique index sim_messages_client on sim_messages (container_id, client_id);
create unique index sim_messages_network on sim_messages (container_id, network_id);
create index sim_messages_chat on sim_messages (container_id, chat, id);

-- What the network will tell, and when. waits_for names the phone (person:<digits>) or the link (session:<container>)
-- that has to come back first.
create table sim_events (
  id bigint generated always as identity primary key,
  container_id uuid not null,
  organization_id uuid not null,
  due_at timestamptz not null,
  kind text not null,
  network_id text,
  person text,
  waits_for text,
  payload jsonb not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index sim_events_due on sim_events (due_at, id) where waits_for is null;
create index sim_events_waiting on sim_events (waits_for) where waits_for is not null;
create index sim_events_container on sim_events (container_id);

create table sim_faults (
  only_row boolean primary key default true check (only_row),
  settings jsonb not null
);

-- How often a fault has hit one thing, so that the next try draws anew.
create table sim_fault_hits (
  container_id uuid not null,
  key text not null,
  hits integer not null,
  primary key (container_id, key)
);
`
