/** Numbers, their lanes and the messages: the messages table is the queue, the row is the truth. */
export const numbersAndMessages = `
create table numbers (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  label text not null,
  instance_name text not null unique,
  is_default boolean not null default false,
  status text not null,
  status_at timestamptz not null,
  -- What the organization asked for; the network's own state is in status.
  wanted text not null default 'running' check (wanted in ('running', 'stopped')),
  phone_number text,
  network_id text,
  push_name text,
  -- The phone that was linked before; another phone afterwards holds the queue.
  last_linked_phone text,
  ever_linked boolean not null default false,
  held_at timestamptz,
  -- The trouble that was told since the number worked last.
  announced text check (announced in ('needs_scan', 'disconnected')),
  down_since timestamptz,
  retry_count integer not null default 0,
  total_recoveries integer not null default 0,
  total_failures integer not null default 0,
  connected_since timestamptz,
  last_healthy_at timestamptz,
  last_error_at timestamptz,
  last_error text,
  created_at timestamptz not null
);
create index numbers_organization on numbers (organization_id, created_at);
create unique index numbers_default on numbers (organization_id) where is_default;

create table number_history (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  container_id uuid not null references numbers on delete cascade,
  at timestamptz not null,
  from_status text,
  to_status text not null,
  reason text,
  source text not null check (source in ('network', 'user', 'supervisor'))
);
create index number_history_number on number_history (container_id, id desc);

-- A number is a lane. It is open while the number can send; next_at is when a dispatcher has to look at it again,
-- gate_at the time before which the pace lets nothing leave.
create table lanes (
  container_id uuid primary key,
  organization_id uuid not null,
  open boolean not null default false,
  next_at timestamptz not null default 'infinity',
  gate_at timestamptz not null default '-infinity'
) with (fillfactor = 70);
create index lanes_due on lanes (next_at) where open;

create table messages (
  id uuid primary key,
  organization_id uuid not null,
  container_id uuid,
  type text not null check (type in ('alert', 'bulk', 'otp')),
  kind text not null,
  recipient text not null,
  content text not null,
  priority text not null check (priority in ('high', 'normal', 'low')),
  status text not null check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed')),
  error text,
  error_code text,
  attempts integer not null default 0,
  -- True when the caller named the number or used its key: such a message never moves to another one.
  pinned boolean not null default false,
  client_reference text,
  campaign_id uuid,
  reminder_id uuid,
  -- Chosen before the network is called, so that a repeat after a crash is the same message to the network.
  network_client_id text not null,
  gateway_message_id text,
  network_ref jsonb,
  -- due_at: not to be sent before; queue_at: its place in the lane, a low one stands two minutes further back.
  due_at timestamptz not null,
  queue_at timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  -- Since when nobody knows whether the network took it.
  outcome_unknown_since timestamptz,
  sent_reported boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  edited_at timestamptz,
  deleted_at timestamptz
) with (fillfactor = 80, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
create index messages_lane on messages (container_id, queue_at, id) where status = 'queued' and priority <> 'high';
create index messages_high on messages (container_id, due_at, id) where status = 'queued' and priority = 'high';
create index messages_leased on messages (lease_until) where status = 'sending';
create index messages_newest on messages (organization_id, created_at desc, id desc);
create unique index messages_gateway_id on messages (container_id, gateway_message_id) where gateway_message_id is not null;

-- Receipts for ids that are not stored yet: they wait here and are applied when the id is.
create table early_receipts (
  container_id uuid not null,
  gateway_message_id text not null,
  status text not null,
  at timestamptz not null,
  error text,
  received_at timestamptz not null,
  primary key (container_id, gateway_message_id, status)
);
create index early_receipts_age on early_receipts (received_at);

-- What the network said about a number: kept 24 h when it exists, 1 h when it does not.
create table number_checks (
  organization_id uuid not null references organizations on delete cascade,
  digits text not null,
  on_network boolean not null,
  lid text,
  checked_at timestamptz not null,
  primary key (organization_id, digits)
);
create index number_checks_age on number_checks (checked_at);
`
