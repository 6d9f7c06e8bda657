/**
 * Service time and the tenants. Every process reads time from service_now(), because clocks of machines differ and
 * because tests and the simulator move time by the one row behind it. Whole milliseconds, so that a time survives the way
 * through JavaScript and back, as cursors must.
 */
export const clockAndTenants = `
create table service_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0,
  frozen_at timestamptz
);
insert into service_clock default values;

create function service_now() returns timestamptz language sql stable parallel safe as $$
  select date_trunc('milliseconds', coalesce(frozen_at, statement_timestamp() + offset_ms * interval '1 millisecond'))
    from service_clock
$$;

create table organizations (
  id uuid primary key,
  name text not null,
  trial_ends_at timestamptz,
  extra_numbers integer not null default 0,
  extra_expires_at timestamptz,
  require_two_factor boolean not null default false,
  deactivated_at timestamptz,
  created_at timestamptz not null
);

-- A product without granted_at is held on trial: it is active until the organization's trial ends.
create table organization_products (
  organization_id uuid not null references organizations on delete cascade,
  product text not null,
  granted_at timestamptz,
  paused_at timestamptz,
  primary key (organization_id, product)
);

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table members (
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create unique index members_one_owner on members (organization_id) where role = 'owner';
create index members_user on members (user_id);

-- Tokens and keys hold 256 random bits, so a plain SHA-256 is enough and can be looked up by index.
create table user_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index user_tokens_expiry on user_tokens (expires_at);

-- container_id is null on the organization's account key.
create table api_keys (
  key_hash bytea primary key,
  organization_id uuid not null references organizations on delete cascade,
  container_id uuid,
  preview text not null,
  created_at timestamptz not null
);
create unique index api_keys_account on api_keys (organization_id) where container_id is null;
create unique index api_keys_number on api_keys (container_id) where container_id is not null;

-- Append-only, written in the transaction of the change that it records.
create table activity_log (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations on delete cascade,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  subject text,
  details jsonb not null default '{}'
);
create index activity_log_organization on activity_log (organization_id, id);

create table change_limits (
  organization_id uuid primary key,
  tat timestamptz not null
) with (fillfactor = 70);

-- Counted attempts in a window that begins with the first of them: sign-ins by address, wrong passwords by e-mail, sign-ups by address.
create table attempt_windows (
  bucket text primary key,
  attempts integer not null,
  ends_at timestamptz not null
) with (fillfactor = 70);
create index attempt_windows_end on attempt_windows (ends_at);

create table trial_usage (
  organization_id uuid not null references organizations on delete cascade,
  day date not null,
  used integer not null,
  primary key (organization_id, day)
) with (fillfactor = 70);

create table idempotency_keys (
  organization_id uuid not null references organizations on delete cascade,
  credential text not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  message_id uuid,
  status integer,
  body jsonb,
  created_at timestamptz not null,
  primary key (organization_id, credential, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Secrets the service makes for itself when the environment gives none.
create table server_secrets (
  name text primary key,
  value text not null
);
`
