-- The schema of the service, by feature:
--
--   1 service time          6 messages              11 one-time codes
--   2 organizations         7 counts of messages    12 recipient checks
--   3 credentials           8 search in messages    13 events and webhooks
--   4 limits and safety     9 campaigns             14 contacts and chats
--   5 numbers and lanes    10 reminders             15 simulated network
--                                                   16 periodic jobs
--                                                   17 sockets of our own
--                                                   18 AI clients
--                                                   19 assistants
--
-- A released migration is never edited: a change of the schema is a new file. How tables look today is in ../schema.sql.
-- Times come from service_now() or from the caller, never from the clock of the machine.


-- 1. Service time ------------------------------------------------------------------------------------------------------

-- One row, which tests and the simulator change to move or stop the time of all processes.
create table service_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0,
  frozen_at timestamptz
);
insert into service_clock default values;

-- PL/pgSQL, because Postgres plans the body of an SQL function again for each statement that calls it.
create function service_now() returns timestamptz language plpgsql stable parallel safe as $$
begin
  return (
    select date_trunc('milliseconds', coalesce(frozen_at, statement_timestamp() + offset_ms * interval '1 millisecond'))
      from service_clock);
end $$;
-- A time as JavaScript writes it.
create function iso_instant(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;
comment on function service_now is
  'The time of the service. Whole milliseconds, so that a time survives the way through JavaScript and back, as cursors must.';

-- Which database this is. A restored backup and a copy bring the row of the database that they were made from.
create table database_identity (
  only_row boolean primary key default true check (only_row),
  identity text not null,
  timeline text not null
);
comment on table database_identity is
  'No process serves a database whose row is not its own, until the operator has answered with msgctl-server after-restore.';

create function read_database_identity() returns text language plpgsql stable as $$
declare
  cluster text := 'unknown';
begin
  begin
    select system_identifier::text into cluster from pg_control_system();
  exception when insufficient_privilege then null;
  end;
  return concat_ws('/', cluster, (select oid from pg_database where datname = current_database()),
                   'database_identity'::regclass::oid);
end $$;

create function read_database_timeline() returns text language sql stable as $$
  select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end;
$$;

-- A recovery to a point in time keeps the identity and begins a timeline, as a failover does. Only the recovery has a target.
create function is_restored() returns boolean language sql stable as $$
  select identity <> read_database_identity()
         or (timeline <> read_database_timeline() and not pg_is_in_recovery()
             and concat(current_setting('recovery_target', true), current_setting('recovery_target_lsn', true),
                        current_setting('recovery_target_name', true), current_setting('recovery_target_time', true),
                        current_setting('recovery_target_xid', true)) <> '')
    from database_identity;
$$;
insert into database_identity (identity, timeline) select read_database_identity(), read_database_timeline();


-- 2. Organizations -----------------------------------------------------------------------------------------------------

create table organizations (
  id uuid primary key,
  name text not null,
  trial_ends_at timestamptz,
  extra_numbers integer not null default 0,
  extra_expires_at timestamptz,
  require_two_factor boolean not null default false,
  deactivated_at timestamptz,
  protected_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid,
  moving_at timestamptz,
  closed_at timestamptz,
  moved_to text,
  created_at timestamptz not null
);
comment on column organizations.protected_at is 'Since when the operator refuses its deletion.';
comment on column organizations.deleted_at is
  'When the owner deleted it. It is deactivated too, and its data is erased some days later.';
create index organizations_deleted on organizations (deleted_at) where deleted_at is not null;
comment on column organizations.moving_at is
  'Since when it moves to another installation: its calls are refused, and no process works for it.';
comment on column organizations.closed_at is 'Since when its numbers are stopped at their networks for the move.';
comment on column organizations.moved_to is 'The address to which it has moved. Its data is deleted here.';
create index organizations_moving on organizations (id) where moving_at is not null;

-- What stays of an erased organization. The hash tells an operator who knows the name that this was the one.
create table erasures (
  organization_id uuid primary key,
  name_hash bytea not null,
  deleted_at timestamptz not null,
  erased_at timestamptz not null
);

create table organization_products (
  organization_id uuid not null references organizations on delete cascade,
  product text not null,
  granted_at timestamptz,
  paused_at timestamptz,
  primary key (organization_id, product)
);
comment on column organization_products.granted_at is
  'Null for a product on trial: it is active until the trial of the organization ends.';

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  password_hash text,
  email_verified_at timestamptz,
  had_trial_at timestamptz,
  created_at timestamptz not null
);
comment on column users.password_hash is 'Null until the person sets a password by a link.';
create unique index users_email on users (lower(email));

create table members (
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  last_session_at timestamptz,
  primary key (organization_id, user_id)
);
create unique index members_one_owner on members (organization_id) where role = 'owner';
create index members_user on members (user_id);

create table activity_log (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations on delete cascade,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  subject text,
  details jsonb not null default '{}',
  ip text,
  request_id text,
  user_agent text
);
comment on table activity_log is 'Append-only. Each row is written in the transaction of the change that it records.';
comment on column activity_log.user_agent is 'Product and system as read from the User-Agent header, never the header itself.';
create index activity_log_organization on activity_log (organization_id, id);
create index activity_log_at on activity_log (at);
create index activity_log_email on activity_log (lower(details ->> 'email')) where details ->> 'email' is not null;

create function keep_activity() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('msgctl.purge', true), '') <> 'on' then
    raise exception 'the activity log is append-only' using errcode = 'insufficient_privilege';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
comment on function keep_activity is 'Refuses changes of the log, except by the jobs that delete what has expired or was erased.';
create trigger activity_log_kept before update or delete on activity_log for each row execute function keep_activity();

-- Messages sent on trial, by day.
create table trial_usage (
  organization_id uuid not null references organizations on delete cascade,
  day date not null,
  used integer not null,
  primary key (organization_id, day)
) with (fillfactor = 70);


-- 3. Credentials -------------------------------------------------------------------------------------------------------

-- Tokens and keys hold 256 random bits. A plain SHA-256 is enough for them, and an index can find it.
create table user_tokens (
  token_hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ip text,
  user_agent text,
  two_factor_at timestamptz
);
comment on column user_tokens.two_factor_at is 'When the second step of the sign-in was made; null for one step.';
create index user_tokens_expiry on user_tokens (expires_at);
create index user_tokens_person on user_tokens (user_id, created_at);
create index user_tokens_organization on user_tokens (organization_id);

create table api_keys (
  key_hash bytea primary key,
  organization_id uuid not null references organizations on delete cascade,
  container_id uuid,
  preview text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on column api_keys.last_used_at is 'Written at most once a minute.';
comment on column api_keys.container_id is 'The number of the key; null for the account key of the organization.';
create unique index api_keys_account on api_keys (organization_id) where container_id is null;
create unique index api_keys_number on api_keys (container_id) where container_id is not null;

create table server_secrets (
  name text primary key,
  value text not null
);
comment on table server_secrets is 'Secrets that the service generates when its environment has none.';

-- Signals the channel credentials (db/wake.ts) when a change may have ended the access of a caller who follows events,
-- whichever process made it. These changes are rare, so the lock that NOTIFY takes at commit delays no other statement.
create function signal_credentials() returns trigger language plpgsql as $$
begin
  perform pg_notify('msgctl_wake', 'database credentials');
  return null;
end $$;

create trigger api_keys_revoked after delete or update of key_hash on api_keys
  for each statement execute function signal_credentials();
create trigger user_tokens_revoked after delete on user_tokens
  for each statement execute function signal_credentials();
create trigger members_removed after delete on members
  for each statement execute function signal_credentials();
create trigger organizations_deactivated after delete or update of deactivated_at, moving_at, moved_to on organizations
  for each statement execute function signal_credentials();
create trigger organization_products_ended after delete or update on organization_products
  for each statement execute function signal_credentials();


-- Links in mails to a person, and codes that open the console: one for each purpose at a time. Only the hash of the token is
-- stored.
create table account_links (
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('reset', 'verify', 'welcome')),
  organization_id uuid references organizations on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (user_id, kind)
);
create index account_links_expiry on account_links (expires_at);
create index account_links_organization on account_links (organization_id) where organization_id is not null;
comment on column account_links.organization_id is 'The organization that a code of the console signs in to.';

-- Two-step sign-in. The secrets are encrypted; last_step is the time step of the last code, which works once.
create table user_two_factor (
  user_id uuid primary key references users on delete cascade,
  sealed_secret text,
  pending_sealed text,
  pending_until timestamptz,
  enabled_at timestamptz,
  last_step bigint
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Half-finished sign-ins, which open nothing but the second step.
create table sign_in_challenges (
  challenge_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenges_person on sign_in_challenges (user_id);
create index sign_in_challenges_organization on sign_in_challenges (organization_id);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

-- Invitations to the team. `delivery` says whether the link went to the mailbox, or was shown to the inviter.
create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash bytea not null unique,
  delivery text not null check (delivery in ('mail', 'shown')),
  invited_by uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  cancelled_at timestamptz
);
create unique index invitations_open on invitations (organization_id, lower(email))
  where accepted_at is null and cancelled_at is null;
create index invitations_inviter on invitations (invited_by);
create index invitations_email on invitations (lower(email));
create index invitations_expiry on invitations (expires_at);

-- Requests for a new password. A job looks the address up, so that the response takes the same time for each address.
create table reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  ip text not null,
  created_at timestamptz not null
);

-- Mails that leave through the mail server, or stay in the local outbox. The body is encrypted, and erased once it left.
create table mails (
  id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  to_email text not null,
  kind text not null,
  sealed_body text,
  created_at timestamptz not null,
  due_at timestamptz,
  attempts integer not null default 0,
  lease_until timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  error text
);
comment on column mails.due_at is 'Null once the mail was sent or given up.';
create index mails_due on mails (due_at) where due_at is not null;
create index mails_created on mails (created_at);
create index mails_recipient on mails (lower(to_email));
create index mails_organization on mails (organization_id);


-- 4. Limits and safety of requests -------------------------------------------------------------------------------------

create table change_limits (
  organization_id uuid primary key,
  tat timestamptz not null
) with (fillfactor = 70);
comment on column change_limits.tat is
  'Theoretical arrival time of the rate limit (GCRA): when the whole quota is available again.';

create table attempt_windows (
  bucket text primary key,
  attempts integer not null,
  ends_at timestamptz not null
) with (fillfactor = 70);
comment on table attempt_windows is
  'Attempts in a window that begins with the first one: sign-ins and sign-ups by address, wrong passwords by e-mail.';
create index attempt_windows_end on attempt_windows (ends_at);

create table idempotency_keys (
  -- No reference: it would read the organization for each request. Erasing an organization deletes its keys.
  organization_id uuid not null,
  credential text not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  message_id uuid,
  status integer,
  body json,
  created_at timestamptz not null,
  primary key (organization_id, credential, route, key)
);
comment on column idempotency_keys.status is
  'HTTP status of the stored response; null while the request runs, or when the response is derived from message_id.';
create index idempotency_keys_age on idempotency_keys (created_at);


-- 5. Numbers and their lanes -------------------------------------------------------------------------------------------

create table numbers (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  gateway text not null default 'simulator',
  label text not null,
  instance_name text not null unique,
  is_default boolean not null default false,
  status text not null,
  status_at timestamptz not null,
  status_since timestamptz not null,
  status_reason text,
  report_sequence bigint not null default 0,
  desired_state text not null default 'running' check (desired_state in ('running', 'stopped')),
  phone_number text,
  network_id text,
  push_name text,
  last_linked_phone text,
  linked_at timestamptz,
  ever_linked boolean not null default false,
  queue_held_at timestamptz,
  -- What the supervisor knows.
  last_reported_problem text check (last_reported_problem in ('needs_scan', 'disconnected')),
  exhaustion_reported boolean not null default false,
  next_check_at timestamptz,
  missed_probes integer not null default 0,
  no_acks_at timestamptz,
  retry_at timestamptz,
  is_final boolean not null default false,
  link_step jsonb,
  blocked_until timestamptz,
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
comment on column numbers.gateway is 'The driver that serves the number, from its creation on.';
comment on column numbers.status_at is 'When the status was last reported.';
comment on column numbers.status_since is 'When the number came to its status.';
comment on column numbers.desired_state is 'What the organization asked for. The state on the network is in status.';
comment on column numbers.last_linked_phone is 'The phone that was linked before. Linking another one holds the queue.';
comment on column numbers.linked_at is 'Since when the phone of last_linked_phone is linked; a link of the same phone again changes nothing.';
comment on column numbers.report_sequence is
  'The order of the last report of the network. An older report never overwrites a newer one, whatever its time.';
comment on column numbers.queue_held_at is 'Since when the queue waits for a release because another phone was linked.';
comment on column numbers.last_reported_problem is 'The problem that was reported since the number last worked.';
comment on column numbers.exhaustion_reported is 'Whether it was reported that the quick attempts to reconnect are used up.';
comment on column numbers.next_check_at is 'When the supervisor checks the number next; null for one that needs no check.';
comment on column numbers.missed_probes is 'Checks in a row in which the host of the number did not respond.';
comment on column numbers.no_acks_at is 'When the number was last reconnected because the network acknowledged nothing.';
comment on column numbers.retry_at is 'When a failed number is tried again, where the network says so.';
comment on column numbers.is_final is 'Whether the network said that a failed number must not be tried again by itself.';
comment on column numbers.link_step is 'What a person has to do beside the QR to complete the link: a passkey or a confirmation.';
comment on column numbers.blocked_until is 'Until when the network lets the account begin no new chats.';
create index numbers_organization on numbers (organization_id, created_at);
create unique index numbers_default on numbers (organization_id) where is_default;
create index numbers_next_check on numbers (next_check_at) where next_check_at is not null;

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
create index number_history_age on number_history (at);

-- The queue of a number. Texts and campaign messages have separate indexes and separate times, so that neither waits
-- for the other.
create table lanes (
  container_id uuid primary key,
  organization_id uuid not null,
  open boolean not null default false,
  guarded boolean,
  next_claim_at timestamptz not null default 'infinity',
  next_send_at timestamptz not null default '-infinity',
  next_campaign_send_at timestamptz not null default '-infinity'
) with (fillfactor = 70);
comment on column lanes.open is 'Whether the number can send: it works and its queue is not held.';
comment on column lanes.guarded is 'Whether the guard rules hold for the number; null: only where GUARD turns them on for all.';
comment on column lanes.next_claim_at is 'When a dispatcher claims from the lane next.';
comment on column lanes.next_send_at is 'The pace lets no text leave before this time.';
comment on column lanes.next_campaign_send_at is 'The pace lets no campaign message leave before this time.';
create index lanes_due on lanes (next_claim_at) where open;

create table send_groups (
  organization_id uuid primary key references organizations on delete cascade,
  enabled boolean not null,
  container_ids uuid[] not null,
  mode text not null check (mode in ('backup', 'share')),
  sticky boolean not null,
  updated_at timestamptz not null
);
comment on table send_groups is 'Which numbers of an organization substitute for each other.';
comment on column send_groups.container_ids is 'In the order of preference. A number of the list cannot be removed.';


-- 6. Messages ----------------------------------------------------------------------------------------------------------

-- The table is the queue as well as the history.
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
  lost_claims integer not null default 0,
  pinned boolean not null default false,
  direct boolean not null default false,
  client_reference text,
  campaign_id uuid,
  reminder_id uuid,
  sent_by text check (sent_by in ('key', 'user', 'ai_client')),
  bot_id uuid,
  conversation_id uuid,
  network_client_id text not null,
  gateway_message_id text,
  network_ref jsonb,
  due_at timestamptz not null,
  queue_at timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  send_started_token uuid,
  outcome_unknown_since timestamptz,
  unacknowledged_since timestamptz,
  sent_reported boolean not null default false,
  caller_error jsonb,
  attempt_log jsonb,
  guard_rule text,
  guard_opens boolean,
  guard_held_at timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  edited_at timestamptz,
  deleted_at timestamptz
) with (fillfactor = 80, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
comment on column messages.lost_claims is
  'Attempts that were lost with a process, a host or a connection. They are in attempts too, but do not use up the attempts that may fail.';
comment on column messages.pinned is
  'The caller named the number or used its key: the message never moves to another number.';
comment on column messages.direct is 'Sent by the request itself. No dispatcher ever hands it to the network.';
comment on column messages.network_client_id is
  'Chosen before the network is called, so that a repeat after a crash is the same message to the network.';
comment on column messages.due_at is 'Not to be sent before this time.';
comment on column messages.queue_at is 'The place in the lane; a message of low priority is placed two minutes later.';
comment on column messages.lease_token is
  'Fencing token of the claim: a process writes the outcome only while its own token is in the row.';
comment on column messages.send_started_token is
  'Equal to lease_token once the holder of the claim has started to hand the message to the network.';
comment on column messages.outcome_unknown_since is 'Since when it is unknown whether the network took the message.';
comment on column messages.unacknowledged_since is
  'Since when the driver has a message that the network has not acknowledged. A receipt of any kind clears it.';
comment on column messages.caller_error is
  'The error, as {code, message, details}, that the caller of a direct send received. A repeat with the same Idempotency-Key gets it too.';

comment on column messages.attempt_log is
  'One entry for each attempt that did not send it: at, error, and nextAt, null when a receipt is waited for. Null without such attempts.';
comment on column messages.guard_rule is 'The guard rule that held the message last. While it is queued it waits until due_at for it.';
comment on column messages.guard_opens is 'Whether a held message begins a conversation with a new person.';

create index messages_lane on messages (container_id, queue_at, id)
  where status = 'queued' and priority <> 'high' and campaign_id is null;
create index messages_high on messages (container_id, due_at, id) where status = 'queued' and priority = 'high';
create index messages_campaign_lane on messages (container_id, queue_at, id)
  where status = 'queued' and campaign_id is not null;
create index messages_leased on messages (lease_until) where status = 'sending';
create unique index messages_gateway_id on messages (container_id, gateway_message_id) where gateway_message_id is not null;
-- While the outcome of a message is unknown, its receipts find it only by the id that the service chose.
create index messages_unknown on messages (container_id, network_client_id) where outcome_unknown_since is not null;
create index messages_unacknowledged on messages (container_id, coalesce(unacknowledged_since, outcome_unknown_since))
  where unacknowledged_since is not null or outcome_unknown_since is not null;
-- Every filter of the list finds its rows here in the order of the list.
create index messages_filtered on messages (organization_id, type, status, created_at desc, id desc);
-- Filters of the list. Messages of one campaign are found by messages_campaign_status, those of a number by message_places.
create index messages_reference on messages (organization_id, client_reference, created_at desc, id desc)
  where client_reference is not null;
-- The number that a contact was last written to from.
create index messages_contact on messages (organization_id, recipient, created_at desc);
create unique index messages_campaign on messages (campaign_id, recipient) where campaign_id is not null;
create index messages_campaign_status on messages (campaign_id, status) where campaign_id is not null;

-- Every change of a message writes all indexes of messages. What stays as it is while a message is sent has a row of its
-- own here, and the indexes of that row are written once.
create table message_places (
  organization_id uuid not null,
  container_id uuid,
  created_at timestamptz not null,
  message_id uuid not null
);
comment on table message_places is 'The order of the lists of messages: of all, and of each number.';
create index message_places_newest on message_places (organization_id, created_at desc, message_id desc);
create index message_places_number on message_places (organization_id, container_id, created_at desc, message_id desc);

create function record_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into message_places select organization_id, container_id, created_at, id from added;
  elsif tg_op = 'DELETE' then
    delete from message_places p using removed r
     where p.organization_id = r.organization_id and p.created_at = r.created_at and p.message_id = r.id;
  else
    update message_places p set container_id = new.container_id, created_at = new.created_at
     where p.organization_id = old.organization_id and p.created_at = old.created_at and p.message_id = old.id;
  end if;
  return null;
end $$;
create trigger messages_place_added after insert on messages
  referencing new table as added for each statement execute function record_places();
create trigger messages_place_removed after delete on messages
  referencing old table as removed for each statement execute function record_places();
create trigger messages_place_changed after update of container_id, created_at on messages
  for each row when (old.container_id is distinct from new.container_id or old.created_at <> new.created_at)
  execute function record_places();

-- What the guard rules hold: by organization for its counts, by number for the next free time, by recipient for replies.
create index messages_held on messages (organization_id, container_id, recipient)
  include (due_at, guard_rule, guard_opens, campaign_id)
  where status = 'queued' and guard_rule is not null;

-- The guard rules of one number, as far as they differ from the table, and what they know of it.
create table number_guards (
  container_id uuid primary key,
  organization_id uuid not null,
  mode text check (mode in ('on', 'off')),
  conversations integer,
  per_hour integer,
  per_day integer,
  network_used integer,
  network_quota integer,
  network_resets_at timestamptz,
  network_reported_at timestamptz,
  stopped_at timestamptz,
  judged_from timestamptz not null default '-infinity',
  warned_at timestamptz not null default '-infinity'
);
comment on column number_guards.mode is 'What the operator decided; null: by the driver of the number.';
comment on column number_guards.stopped_at is 'Since when its campaigns are stopped: too many recipients are not on the network.';
comment on column number_guards.judged_from is 'When a person let its campaigns continue: earlier sends no longer count against it.';
comment on column number_guards.warned_at is 'When it was last reported that the number gets no replies.';

-- The messages that passed the guard rules, for three days. Replies are not among them.
create table guard_sends (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  container_id uuid not null,
  at timestamptz not null,
  message_id uuid not null,
  recipient text not null,
  opens boolean not null
);
comment on column guard_sends.opens is 'Whether it began a conversation with a new person.';
create index guard_sends_number on guard_sends (container_id, at) include (opens);
create index guard_sends_opened on guard_sends (container_id, recipient) where opens;
-- Rows come in the order of their time. With an index of trees the planner would read it for the last sends of one number.
create index guard_sends_age on guard_sends using brin (at);

create table pending_receipts (
  container_id uuid not null,
  gateway_message_id text not null,
  status text not null,
  at timestamptz not null,
  error text,
  received_at timestamptz not null,
  primary key (container_id, gateway_message_id, status)
);
comment on table pending_receipts is
  'Receipts of messages whose id on the network is not stored yet. They are applied as soon as it is.';
create index pending_receipts_age on pending_receipts (received_at);

create table poll_votes (
  container_id uuid not null,
  vote_network_id text not null,
  organization_id uuid not null,
  poll_network_id text not null,
  voter text not null,
  selected_options jsonb not null,
  voted_at timestamptz not null,
  received_at timestamptz not null,
  message_id uuid,
  primary key (container_id, vote_network_id)
);
comment on table poll_votes is
  'Votes in polls of the service. A vote is reported once although the network may deliver it again.';
comment on column poll_votes.message_id is 'The poll; null while it is not known yet.';
create index poll_votes_waiting on poll_votes (container_id, poll_network_id) where message_id is null;
create index poll_votes_age on poll_votes (received_at);

-- Files that callers uploaded, to send them within a day. The bytes are not compressed: files are already, and parts of
-- them are read.
create table uploads (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  sha256 bytea not null,
  format text not null,
  filename text not null,
  mimetype text not null,
  size_bytes integer not null,
  bytes bytea not null,
  expires_at timestamptz not null
);
alter table uploads alter column bytes set storage external;
create unique index uploads_content on uploads (organization_id, sha256, filename, mimetype);
create index uploads_expired on uploads (expires_at);


-- 7. Counts of messages ------------------------------------------------------------------------------------------------

-- How many messages an organization has, by hour of acceptance, type and status: reading them costs the same with a long
-- history. Triggers count, so that no path which stores, moves or deletes messages can miss it. A statement appends what
-- it changed and waits for no lock; a counter row that every send updated would serialize the sends of an organization.
-- A periodic job rolls the changes up into hours and totals. The truth is always the rolled-up rows plus the changes.

create table message_count_changes (
  organization_id uuid not null,
  hour timestamptz not null,
  type text not null,
  queued bigint not null,
  sending bigint not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
comment on table message_count_changes is 'Changes that are not rolled up yet; the figures may be negative.';
create index message_count_changes_organization on message_count_changes (organization_id);

create table message_hours (
  organization_id uuid not null,
  hour timestamptz not null,
  type text not null,
  queued bigint not null,
  sending bigint not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null,
  primary key (organization_id, hour, type)
) with (fillfactor = 70);

create table message_totals (
  organization_id uuid not null,
  type text not null,
  queued bigint not null,
  sending bigint not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null,
  primary key (organization_id, type)
) with (fillfactor = 50);

create function count_messages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into message_count_changes
    select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch'), type,
           coalesce(sum(n) filter (where status = 'queued'), 0),
           coalesce(sum(n) filter (where status = 'sending'), 0),
           coalesce(sum(n) filter (where status = 'sent'), 0),
           coalesce(sum(n) filter (where status = 'delivered'), 0),
           coalesce(sum(n) filter (where status = 'read'), 0),
           coalesce(sum(n) filter (where status = 'failed'), 0)
      from (select organization_id, created_at, type, status, 1 as n from added) moved group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    -- The count of what was sent does not fall when its age ends it.
    if current_setting('msgctl.purge', true) = 'on' then return null; end if;
    insert into message_count_changes
    select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch'), type,
           coalesce(sum(n) filter (where status = 'queued'), 0),
           coalesce(sum(n) filter (where status = 'sending'), 0),
           coalesce(sum(n) filter (where status = 'sent'), 0),
           coalesce(sum(n) filter (where status = 'delivered'), 0),
           coalesce(sum(n) filter (where status = 'read'), 0),
           coalesce(sum(n) filter (where status = 'failed'), 0)
      from (select organization_id, created_at, type, status, -1 as n from removed) moved group by 1, 2, 3;
  else
    insert into message_count_changes
    select organization_id, hour, type,
           coalesce(sum(n) filter (where status = 'queued'), 0),
           coalesce(sum(n) filter (where status = 'sending'), 0),
           coalesce(sum(n) filter (where status = 'sent'), 0),
           coalesce(sum(n) filter (where status = 'delivered'), 0),
           coalesce(sum(n) filter (where status = 'read'), 0),
           coalesce(sum(n) filter (where status = 'failed'), 0)
      from (select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch') as hour, type, status, sum(n) as n
              from (select organization_id, created_at, type, status, 1 as n from added
                    union all
                    select organization_id, created_at, type, status, -1 from removed) each_row
             group by 1, 2, 3, 4 having sum(n) <> 0) moved
     group by 1, 2, 3;
  end if;
  return null;
end $$;

-- The update trigger names no columns: Postgres allows transition tables only on a trigger for every update.
create trigger messages_count_added after insert on messages
  referencing new table as added for each statement execute function count_messages();
create trigger messages_count_moved after update on messages
  referencing old table as removed new table as added for each statement execute function count_messages();
create trigger messages_count_removed after delete on messages
  referencing old table as removed for each statement execute function count_messages();


-- 8. Search in messages ------------------------------------------------------------------------------------------------

-- The searchable text of each message, in a narrow table of its own: an index on messages would be written again by each
-- of the five changes of a message. Triggers append what changed and wait for no lock; a periodic job copies the texts
-- and merges them into the index, so that no sender pays for that. A search also reads the changes not copied yet.

create table message_texts (
  organization_id uuid not null,
  created_at timestamptz not null,
  message_id uuid not null,
  search_text text not null,
  primary key (organization_id, created_at, message_id)
);
comment on column message_texts.search_text is 'Recipient and text, a line each, in lower case.';

-- Trigrams need a module that nearly every Postgres server has. Without it a search may read all texts.
do $$ begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index message_texts_search on message_texts
      using gin (organization_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 65536);
  end if;
exception when insufficient_privilege then
  raise warning 'searching will be slow: this user may not create the extensions pg_trgm and btree_gin';
end $$;

create table message_text_changes (
  organization_id uuid not null,
  created_at timestamptz not null,
  message_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
comment on table message_text_changes is
  'Messages that were stored, edited or deleted since message_texts was last brought up to date.';
create index message_text_changes_organization on message_text_changes (organization_id);

create function record_text_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into message_text_changes select organization_id, created_at, id from added;
  elsif tg_op = 'DELETE' then
    insert into message_text_changes select organization_id, created_at, id from removed;
  else
    insert into message_text_changes values (new.organization_id, new.created_at, new.id);
  end if;
  return null;
end $$;
create trigger messages_text_added after insert on messages
  referencing new table as added for each statement execute function record_text_changes();
create trigger messages_text_removed after delete on messages
  referencing old table as removed for each statement execute function record_text_changes();
create trigger messages_text_edited after update of content, recipient on messages
  for each row when (old.content is distinct from new.content or old.recipient is distinct from new.recipient)
  execute function record_text_changes();


-- 9. Campaigns ---------------------------------------------------------------------------------------------------------

-- The messages of a campaign are rows of messages with its id, at most one for each recipient.
create table campaigns (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  container_id uuid,
  name text not null,
  template text not null,
  status text not null check (status in ('draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled')),
  total integer not null,
  scheduled_at timestamptz,
  start_error text,
  start_tried_at timestamptz,
  start_failing_since timestamptz,
  any_hour boolean not null default false,
  pause_reason text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz
) with (fillfactor = 80);
-- What an organization stores without sending it is counted by this index and reminders_unsent, before more is stored.
create index campaigns_unstarted on campaigns (organization_id) include (total) where started_at is null;
comment on column campaigns.container_id is
  'The number that the campaign is bound to. No reference: it stays bound when the number is removed, and its start then fails.';
comment on column campaigns.start_tried_at is 'The last attempt of a scheduled start that failed.';
create index campaigns_organization on campaigns (organization_id, created_at, id);
create index campaigns_scheduled on campaigns (scheduled_at) where status = 'scheduled';
create index campaigns_sending on campaigns (id) where status in ('sending', 'cancelled');
create index campaigns_number on campaigns (container_id) where container_id is not null;

create table campaign_recipients (
  campaign_id uuid not null references campaigns on delete cascade,
  organization_id uuid not null,
  position integer not null,
  phone text not null,
  variables jsonb not null,
  primary key (campaign_id, position)
);
create unique index campaign_recipients_phone on campaign_recipients (campaign_id, phone);

create table campaign_pacing (
  organization_id uuid primary key references organizations on delete cascade,
  next_send_at timestamptz not null
) with (fillfactor = 50);
comment on table campaign_pacing is
  'The pace of all campaigns of an organization together, over all of its numbers: no message leaves before next_send_at.';

-- What follows for campaigns when their messages change.
--
-- A message that returns to the queue of a campaign which does not send is deleted. One that the network may have taken
-- stays, and waits until the campaign is resumed. The campaign whose last message is settled becomes completed.
create function reconcile_campaigns() returns trigger language plpgsql as $$
declare
  back uuid[];
  settled uuid;
begin
  if not exists (select from added where campaign_id is not null) then return null; end if;
  select array_agg(a.id) into back from added a join removed r on r.id = a.id
   where a.campaign_id is not null and a.status = 'queued' and r.status = 'sending';
  if back is not null then
    perform from campaigns where id in (select campaign_id from added where id = any(back)) order by id for share;
    update messages m set due_at = 'infinity' from campaigns c
     where m.id = any(back) and c.id = m.campaign_id and c.status <> 'sending' and m.outcome_unknown_since is not null;
    delete from messages m using campaigns c
     where m.id = any(back) and c.id = m.campaign_id and c.status <> 'sending' and m.outcome_unknown_since is null;
  end if;
  for settled in
    select distinct a.campaign_id from added a join removed r on r.id = a.id
     where a.campaign_id is not null and a.status not in ('queued', 'sending') and r.status in ('queued', 'sending')
     order by 1
  loop
    -- With many messages left this cannot be the last one, so the row of the campaign is not locked.
    if (select count(*) from (select from messages
          where campaign_id = settled and status in ('queued', 'sending') limit 100) few) < 100 then
      perform from campaigns where id = settled and status = 'sending' for update;
      update campaigns set status = 'completed', completed_at = (select service_now())
       where id = settled and status = 'sending'
         and not exists (select from messages where campaign_id = settled and status in ('queued', 'sending'));
    end if;
  end loop;
  return null;
end $$;
create trigger messages_campaign_moved after update on messages
  referencing old table as removed new table as added for each statement execute function reconcile_campaigns();

-- A campaign that completes is noted here for the rest of its transaction, which appends campaign.completed as its last
-- statement and deletes the row (append_events, section 13). So no other transaction ever sees a row.
create unlogged table campaign_ends (
  campaign_id uuid primary key
);
create function note_campaign_end() returns trigger language plpgsql as $$
begin
  insert into campaign_ends values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger campaigns_ended after update of status on campaigns
  for each row when (old.status = 'sending' and new.status = 'completed') execute function note_campaign_end();

-- How far the messages of each campaign are, kept like the counts of all messages (section 7).
create table campaign_counts (
  campaign_id uuid primary key references campaigns on delete cascade,
  organization_id uuid not null,
  sent bigint not null,
  delivered bigint not null,
  failed bigint not null,
  read bigint not null
) with (fillfactor = 50);

create table campaign_count_changes (
  campaign_id uuid not null,
  organization_id uuid not null,
  sent bigint not null,
  delivered bigint not null,
  failed bigint not null,
  read bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
create index campaign_count_changes_campaign on campaign_count_changes (campaign_id);

create function count_campaign_messages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, sum(sent), sum(delivered), sum(failed), sum(read)
      from (select campaign_id, organization_id,
                   case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                   case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                   case when status = 'failed' then 1 else 0 end as failed,
                   case when status = 'read' then 1 else 0 end as read
              from added where campaign_id is not null) moved
     group by 1, 2 having sum(sent) <> 0 or sum(delivered) <> 0 or sum(failed) <> 0 or sum(read) <> 0;
  elsif tg_op = 'DELETE' then
    if current_setting('msgctl.purge', true) = 'on' then return null; end if;
    if not exists (select from removed where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, sum(sent), sum(delivered), sum(failed), sum(read)
      from (select campaign_id, organization_id,
                   -sent as sent, -delivered as delivered, -failed as failed, -read as read
              from (select campaign_id, organization_id,
                           case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                           case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                           case when status = 'failed' then 1 else 0 end as failed,
                           case when status = 'read' then 1 else 0 end as read
                      from removed where campaign_id is not null) gone) moved
     group by 1, 2 having sum(sent) <> 0 or sum(delivered) <> 0 or sum(failed) <> 0 or sum(read) <> 0;
  else
    if not exists (select from added where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, sum(sent), sum(delivered), sum(failed), sum(read)
      from (select campaign_id, organization_id,
                   case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                   case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                   case when status = 'failed' then 1 else 0 end as failed,
                   case when status = 'read' then 1 else 0 end as read
              from added where campaign_id is not null
            union all
            select campaign_id, organization_id,
                   -sent as sent, -delivered as delivered, -failed as failed, -read as read
              from (select campaign_id, organization_id,
                           case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                           case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                           case when status = 'failed' then 1 else 0 end as failed,
                           case when status = 'read' then 1 else 0 end as read
                      from removed where campaign_id is not null) gone) moved
     group by 1, 2 having sum(sent) <> 0 or sum(delivered) <> 0 or sum(failed) <> 0 or sum(read) <> 0;
  end if;
  return null;
end $$;
create trigger messages_campaign_count_added after insert on messages
  referencing new table as added for each statement execute function count_campaign_messages();
create trigger messages_campaign_count_moved after update on messages
  referencing old table as removed new table as added for each statement execute function count_campaign_messages();
create trigger messages_campaign_count_removed after delete on messages
  referencing old table as removed for each statement execute function count_campaign_messages();


-- 10. Reminders --------------------------------------------------------------------------------------------------------

create table reminders (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  owner_id uuid not null,
  container_id uuid,
  label text,
  phone text not null,
  message text not null,
  variables jsonb not null,
  repeat text not null check (repeat in ('none', 'daily', 'weekly', 'monthly')),
  time_zone text not null,
  status text not null check (status in ('scheduled', 'processing', 'done', 'failed', 'cancelled')),
  send_at timestamptz not null,
  first_send_at timestamptz not null,
  due_at timestamptz not null,
  lease_token uuid,
  failed_tries integer not null default 0,
  failed_repeats integer not null default 0,
  schedule_version integer not null default 1,
  batch_id uuid,
  send_count integer not null default 0,
  last_sent_at timestamptz,
  last_message_id uuid,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
create index reminders_unsent on reminders (organization_id) where send_count = 0;
comment on column reminders.container_id is
  'No reference: a reminder outlives its number, and fails when it is due.';
comment on column reminders.send_at is 'The occurrence that is sent next, or was sent last.';
comment on column reminders.due_at is
  'When the job handles the reminder: its occurrence, the next try after a temporary failure, or the end of the lease.';
comment on column reminders.failed_tries is 'Tries of this occurrence that failed temporarily.';
comment on column reminders.failed_repeats is 'Occurrences in a row that failed.';
comment on column reminders.schedule_version is
  'How often a caller set sendAt. Two occurrences with the same time and another version are two occurrences.';
create index reminders_due on reminders (due_at) where status in ('scheduled', 'processing');
-- The order of the list: upcoming reminders by their time, then the others by their last change.
create index reminders_listed on reminders (
  organization_id, (status in ('scheduled', 'processing')) desc,
  (case when status in ('scheduled', 'processing') then send_at end), updated_at desc, id desc);

-- One message for each occurrence, however many processes try to send it, and however often.
create table reminder_sends (
  reminder_id uuid not null references reminders on delete cascade,
  schedule_version integer not null,
  occurrence_at timestamptz not null,
  message_id uuid not null,
  primary key (reminder_id, schedule_version, occurrence_at)
);


-- 11. One-time codes ---------------------------------------------------------------------------------------------------

-- A request has the id of its message. It outlives the number of the message: the limits count what was sent to a phone
-- through any number.
create table otp_requests (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  container_id uuid not null,
  phone text not null,
  mac bytea not null,
  pepper text not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz
) with (fillfactor = 85);
comment on column otp_requests.mac is 'HMAC of the code; the code itself is not stored.';
comment on column otp_requests.pepper is 'The id of the pepper that the HMAC was made with.';
create index otp_requests_phone on otp_requests (organization_id, phone, created_at);
create index otp_requests_organization on otp_requests (organization_id, created_at);
create index otp_requests_age on otp_requests (created_at);

create table otp_days (
  organization_id uuid not null references organizations on delete cascade,
  day date not null,
  verified bigint not null default 0,
  expired bigint not null default 0,
  limited bigint not null default 0,
  primary key (organization_id, day)
) with (fillfactor = 70);
comment on table otp_days is
  'What became of codes, by the UTC day in which they were asked for. verified and expired count only requests that were deleted; the others are counted from otp_requests.';
comment on column otp_days.limited is 'Codes that were refused because of a limit.';
create index otp_days_age on otp_days (day);


-- 12. Recipient checks -------------------------------------------------------------------------------------------------

create table recipient_checks (
  organization_id uuid not null references organizations on delete cascade,
  digits text not null,
  on_network boolean not null,
  chat_id text not null default '',
  lid text,
  valid_until timestamptz not null,
  primary key (organization_id, digits)
);
comment on table recipient_checks is 'Whether a phone is on the network.';
comment on column recipient_checks.valid_until is
  'Longer on a real network than on the simulated one, and for a phone that is there than for one that is not.';
comment on column recipient_checks.chat_id is 'The address of the person on the network; empty when there is none.';
comment on column recipient_checks.lid is 'The hidden id of the person, where the network discloses it.';
create index recipient_checks_age on recipient_checks (valid_until);

create table recipient_check_budgets (
  container_id uuid primary key references numbers on delete cascade,
  organization_id uuid not null,
  tat timestamptz not null,
  day_tat timestamptz not null
) with (fillfactor = 70);
comment on column recipient_check_budgets.day_tat is 'The same for the budget of a day.';
comment on column recipient_check_budgets.tat is
  'Theoretical arrival time (GCRA): when the whole budget of checks through this number is available again.';


-- 13. Events and webhooks ----------------------------------------------------------------------------------------------

-- A position is assigned under the lock of this row, which is held until commit. Positions of an organization become
-- visible in order, so that a stream which resumes after one never skips another.
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
  sample boolean not null default false,
  unique (organization_id, position)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on column events.sample is 'Made by POST /me/webhook/test: delivered with X-Service-Sample, in no list and no stream.';
create index events_age on events (created_at);
create index events_message on events (message_id) where message_id is not null;
-- Deliveries of a frequent kind are found while the list is read from its begin; those of a rare one are not.
create index events_kind on events (organization_id, event, id)
  where event not in ('message.inbound', 'message.sent', 'message.delivered', 'message.read');

-- Filters of the event log. Few events are about a campaign or carry a reference.
create index events_container on events (organization_id, (data ->> 'containerId'), position);
create index events_campaign on events (organization_id, (data ->> 'campaignId'), position)
  where data ->> 'campaignId' is not null;
create index events_reference on events (organization_id, (data ->> 'clientReference'), position)
  where data ->> 'clientReference' is not null;

create unlogged table event_streams (
  id uuid primary key,
  organization_id uuid not null,
  kind text not null check (kind in ('events', 'overview')),
  until timestamptz not null
);
comment on table event_streams is
  'Leases of the open streams of all processes, to limit them by organization and kind. A process renews its own, also after a crash of the database emptied the table.';
create index event_streams_organization on event_streams (organization_id);

-- The webhook endpoints of an organization. The main one is that of PUT /me/webhook; it keeps its row and its secret while it
-- has no address.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations on delete cascade,
  main boolean not null default true,
  url text,
  label text,
  kinds text[],
  secret text,
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null
);
comment on column webhooks.kinds is 'The kinds of events that are posted to it; null for all.';
create unique index webhooks_main on webhooks (organization_id) where main;
create index webhooks_organization on webhooks (organization_id, created_at, id);

-- A delivery is written three times: stored, claimed, finished. Half of each page is left free, so that a claim fits into
-- the page of its row and changes no index.
create table webhook_deliveries (
  id uuid primary key,
  event_id uuid not null references events on delete cascade,
  organization_id uuid not null,
  endpoint_id uuid not null,
  status text not null check (status in ('pending', 'delivered', 'dropped')),
  replay boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  last_status integer,
  last_error text,
  attempt_log jsonb not null default '[]',
  created_at timestamptz not null,
  finished_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
comment on table webhook_deliveries is
  'One row for each endpoint of each event, and for each replay. The one for the main endpoint has the id of its event.';
comment on column webhook_deliveries.endpoint_id is
  'No reference: the deliveries of a removed endpoint stay listed, and those that are pending are dropped.';
comment on column webhook_deliveries.lease_token is
  'Fencing token of the claim: a process writes the outcome only while its own token is in the row.';
comment on column webhook_deliveries.attempt_log is 'One entry for each attempt: at, status, error, durationMs, and response: the beginning of a refusal''s body.';
-- A claim skips from one endpoint to the next, so that a long queue of one does not slow down the others.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);
-- Lists and counts by status. The list of all statuses is merged from those of each.
create index webhook_deliveries_listed on webhook_deliveries (organization_id, status, created_at desc, id desc);

-- Stores events with their positions and deliveries in one statement, and campaign.completed for each campaign that this
-- transaction completed. It must be the last statement of its transaction. Positions have no gaps: they are assigned under
-- the lock of the organization's row in event_positions, which the upsert takes in the order of organization ids and keeps
-- until the commit. A function, because its statement is planned once for each connection.
create function append_events(given jsonb) returns void language plpgsql as $$
begin
  with ended as (
    delete from campaign_ends e using campaigns c where c.id = e.campaign_id
    returning c.id, c.organization_id, c.name, c.container_id, c.total, c.started_at, c.completed_at
  ), listed as (
    select * from jsonb_to_recordset(given) as given
      (rank int, id uuid, "organizationId" uuid, event text, data jsonb, "messageId" uuid, "endpointId" uuid,
       sample boolean, audience text[])
    union all
    select 1000000, gen_random_uuid(), organization_id, 'campaign.completed',
           jsonb_build_object(
             'campaignId', id, 'name', name, 'status', 'completed', 'containerId', container_id,
             'stats', jsonb_build_object('total', total, 'sent', sent, 'delivered', delivered, 'failed', failed, 'read', read),
             'startedAt', iso_instant(started_at), 'timestamp', iso_instant(completed_at)),
           null, null, false, array['developer']
      from ended cross join lateral (
        select coalesce(sum(sent), 0) as sent, coalesce(sum(delivered), 0) as delivered,
               coalesce(sum(failed), 0) as failed, coalesce(sum(read), 0) as read
          from (select sent, delivered, failed, read from campaign_counts k where k.campaign_id = ended.id
                union all
                select sent, delivered, failed, read from campaign_count_changes k where k.campaign_id = ended.id) k) counted
  ), received as (
    select listed.*, row_number() over (partition by "organizationId" order by listed.rank) as offset_in_batch
    from listed
    where exists (
      select from organization_products held
      join organizations on organizations.id = held.organization_id
      where held.organization_id = "organizationId" and held.product = any(audience) and held.paused_at is null
        and organizations.deleted_at is null
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
  )
  -- From the events as they were received, and not as they were stored: a join of both would compare each with each.
  insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
  select case when webhooks.main then received.id else gen_random_uuid() end, received.id, webhooks.organization_id,
         webhooks.id, 'pending', (select service_now()), (select service_now())
  from received join webhooks on webhooks.organization_id = received."organizationId"
  where webhooks.url is not null
    and case when received."endpointId" is null then webhooks.kinds is null or received.event = any(webhooks.kinds)
        else webhooks.id = received."endpointId" end;
end $$;

-- Appends the events of completed campaigns at the end of a transaction that has not appended events itself.
create function append_campaign_ends() returns trigger language plpgsql as $$
begin
  if exists (select from campaign_ends where campaign_id = new.campaign_id) then
    perform append_events('[]');
    perform pg_notify('msgctl_wake', 'database events');
    perform pg_notify('msgctl_wake', 'database deliveries');
  end if;
  return null;
end $$;
create constraint trigger campaign_ends_appended after insert on campaign_ends
  deferrable initially deferred for each row execute function append_campaign_ends();


-- 14. Contacts and chats -----------------------------------------------------------------------------------------------

-- The people that an organization knows, through any of its numbers. A person is one row: the hidden id and the phone are
-- merged into it once the network discloses that they belong together.
create table contacts (
  id uuid primary key,
  organization_id uuid not null,
  phone text,
  lid text,
  saved_name text,
  network_name text,
  saved_in uuid[] not null default '{}',
  known_to uuid[] not null default '{}',
  opted_out boolean not null default false,
  opted_at timestamptz,
  created_at timestamptz not null,
  -- Hidden ids are searched without their suffix: otherwise a search for "lid" would find every one of them.
  search_text text not null generated always as (
    lower(coalesce(saved_name, '') || chr(30) || coalesce(network_name, '') || chr(30) || coalesce(phone, '') || chr(30)
          || split_part(coalesce(lid, ''), '@', 1))) stored,
  check (phone is not null or lid is not null)
) with (fillfactor = 80);
comment on column contacts.lid is 'The hidden id of the person on the network.';
comment on column contacts.saved_name is 'The name in the address book of a number.';
comment on column contacts.network_name is 'The name that the person shows on the network.';
comment on column contacts.saved_in is 'The numbers whose address books have the person.';
comment on column contacts.known_to is 'The numbers that have met the person.';
comment on column contacts.opted_at is
  'When opted_out was last decided. A keyword that was written earlier, and arrives later, decides nothing.';
create unique index contacts_phone on contacts (organization_id, phone);
create unique index contacts_lid on contacts (organization_id, lid);
-- The order of a search: one that matches nearly all contacts walks along it.
create index contacts_order on contacts
  (organization_id, (saved_in = '{}'), (coalesce(saved_name, network_name)), phone, id);

-- As for messages (section 8): without the module a search reads all contacts.
do $$ begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index contacts_opted_out on contacts (organization_id, opted_at desc, id) where opted_out;
create index contacts_text on contacts using gin (organization_id, search_text gin_trgm_ops);
  end if;
exception when insufficient_privilege then
  raise warning 'searching will be slow: this user may not create the extensions pg_trgm and btree_gin';
end $$;

-- The opt-out keywords of an organization, in addition to those that hold for all.
create table opt_out_keywords (
  organization_id uuid primary key,
  keywords text[] not null
);

-- The conversation of a number with a person, in both directions.
create table chats (
  container_id uuid not null,
  contact_id uuid not null,
  organization_id uuid not null,
  last_at timestamptz not null,
  unread integer not null default 0,
  primary key (container_id, contact_id)
) with (fillfactor = 70);
comment on column chats.unread is 'The number of rows in chat_messages that are unread.';
create index chats_newest on chats (container_id, last_at desc, contact_id desc);
create index chats_unread on chats (container_id, last_at desc, contact_id desc) where unread > 0;
create index chats_contact on chats (contact_id);

create table chat_messages (
  id uuid primary key,
  organization_id uuid not null,
  container_id uuid not null,
  contact_id uuid,
  direction text not null check (direction in ('in', 'out')),
  network_id text,
  at timestamptz not null,
  ours boolean not null default false,
  imported boolean not null default false,
  type text not null,
  text text not null,
  attachment text,
  unread boolean not null default false,
  edited_at timestamptz,
  revoked_at timestamptz,
  network_ref jsonb,
  file jsonb
) with (fillfactor = 90, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
comment on column chat_messages.contact_id is
  'Null for a message of a group: it belongs to no conversation with one person.';
comment on column chat_messages.ours is
  'The service sent it: all about it is in the row of messages with the same id.';
comment on column chat_messages.imported is
  'Read from the history on the network, which may still report the message as new.';
comment on column chat_messages.network_ref is 'What the driver needs to fetch the file of the message.';
comment on column chat_messages.file is 'Type, name and size of the file of the message, as its sender named them.';
create unique index chat_messages_network on chat_messages (container_id, network_id);
create index chat_messages_thread on chat_messages (container_id, contact_id, at desc, id desc)
  where contact_id is not null;
-- Leads from the newest received messages to the chats that wait for an answer.
create index chat_messages_received on chat_messages (container_id, at desc, id desc)
  where direction = 'in' and contact_id is not null;
create index chat_messages_unread on chat_messages (container_id, at, id) where unread;
create index chat_messages_unread_contact on chat_messages (contact_id) where unread;

-- Triggers append here without a lock, and a job moves it into the chats.
create table chat_changes (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  container_id uuid not null,
  message_id uuid,
  contact_id uuid
);
comment on table chat_changes is
  'What the chats still lack: a message that was sent or revoked, or a contact whose messages were deleted.';
create index chat_changes_container on chat_changes (container_id, id);

-- Once for each statement, because outcomes are written hundreds at a time. A claim, which sends nothing yet, leaves at
-- the first check. A session plans the insert once, maybe for one message, and uses the plan for hundreds: it must have no
-- nested loop.
create function record_chat_changes() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if not exists (select from added where sent_at is not null) then return null; end if;
  insert into chat_changes (organization_id, container_id, message_id)
  select a.organization_id, a.container_id, a.id
    from added a join removed r on r.id = a.id
   where a.container_id is not null and a.sent_at is not null
     and (r.sent_at is null or (r.deleted_at is null and a.deleted_at is not null));
  return null;
end $$;
create trigger messages_chat_changed after update on messages
  referencing old table as removed new table as added for each statement execute function record_chat_changes();

create function delete_chat_messages() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from chat_messages c using removed r where r.sent_at is not null and c.id = r.id
    returning c.organization_id, c.container_id, c.contact_id
  )
  insert into chat_changes (organization_id, container_id, contact_id)
  select distinct organization_id, container_id, contact_id from gone where contact_id is not null;
  return null;
end $$;
create trigger messages_chat_removed after delete on messages
  referencing old table as removed for each statement execute function delete_chat_messages();

create table pending_changes (
  container_id uuid not null,
  network_id text not null,
  kind text not null check (kind in ('edited', 'revoked')),
  text text,
  at timestamptz not null,
  received_at timestamptz not null,
  primary key (container_id, network_id, kind)
);
comment on table pending_changes is
  'Edits and deletions of messages that are not stored yet. They are applied as soon as the message is.';
create index pending_changes_age on pending_changes (received_at);

-- Reading the history of a number from the network, conversation by conversation, the latest first.
create table history_imports (
  container_id uuid primary key,
  organization_id uuid not null,
  requested_at timestamptz,
  due_at timestamptz,
  reached_at timestamptz,
  attempts integer not null default 0,
  phone_busy_at timestamptz,
  imported_at timestamptz
);
comment on column history_imports.requested_at is 'Set while the history shall be read, or is being read under the lease.';
comment on column history_imports.reached_at is 'Conversations that are later than this were read already.';
comment on column history_imports.phone_busy_at is 'When the phone was last found to be handing the history over itself.';
create index history_imports_due on history_imports (due_at) where requested_at is not null;
create index history_imports_organization on history_imports (organization_id);


-- What hosts of the networks have reported and the service has not handled yet. Hosts outside of this process may insert
-- rows too, and signal 'inbox' then.
create table gateway_inbox (
  id bigint generated always as identity primary key,
  driver text not null,
  host text not null,
  event_id text not null,
  container_id uuid not null,
  organization_id uuid not null,
  body bytea not null,
  received_at timestamptz not null default service_now(),
  attempts integer not null default 0,
  due_at timestamptz not null default service_now(),
  set_aside_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
comment on column gateway_inbox.event_id is 'The id of the report at its host: a repeat has the same.';
comment on column gateway_inbox.body is 'The report as it arrived. The driver translates it when it is handed out.';
comment on column gateway_inbox.due_at is 'When a report that could not be handled is tried again.';
comment on column gateway_inbox.set_aside_at is 'Since when the report is not tried any more.';
create unique index gateway_inbox_event on gateway_inbox (driver, host, event_id);
create index gateway_inbox_waiting on gateway_inbox (driver, id) where set_aside_at is null;
create index gateway_inbox_postponed on gateway_inbox (driver, container_id) where set_aside_at is null and attempts > 0;
create index gateway_inbox_set_aside on gateway_inbox (set_aside_at) where set_aside_at is not null;

create table gateway_last_times (
  container_id uuid primary key references numbers on delete cascade,
  organization_id uuid not null,
  last_ms bigint not null
) with (fillfactor = 70);
comment on column gateway_last_times.last_ms is
  'The time of the last message of the number, on the clock of the network. Messages of one second are ordered by it.';


-- 15. WAHA servers --------------------------------------------------------------------------------------------------------

-- The data of the driver waha: the servers that operators added, and which number is on which.

create table waha_hosts (
  id uuid primary key,
  url text not null unique,
  sealed_key text not null,
  sealed_hook_key text not null,
  engine text not null check (engine in ('GOWS', 'NOWEB')),
  version text not null,
  capacity integer not null check (capacity > 0),
  draining boolean not null default false,
  seen_at timestamptz,
  polled_at timestamptz
);
comment on column waha_hosts.sealed_key is 'What the service sends as X-Api-Key, encrypted with SECRETS_KEYS.';
comment on column waha_hosts.sealed_hook_key is 'Signs the webhooks of the server, encrypted with SECRETS_KEYS.';

create table waha_sessions (
  container_id uuid primary key,
  organization_id uuid not null,
  host_id uuid not null references waha_hosts,
  status text,
  reported_status text,
  sequence bigint not null default 0
) with (fillfactor = 70);
comment on column waha_sessions.status is 'The latest status that is known, in the words of WAHA. `sequence` orders it.';
comment on column waha_sessions.reported_status is 'The latest status that was reported to the service. A poll reports what differs from it.';
create index waha_sessions_host on waha_sessions (host_id);
create index waha_sessions_organization on waha_sessions (organization_id);


-- 16. Simulated network ------------------------------------------------------------------------------------------------

-- The data of the simulator, not of the service: with another driver these tables stay empty.

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
  profile jsonb not null,
  contacts jsonb not null default '{}'
) with (fillfactor = 70);
comment on column sim_sessions.contacts is 'Names in the address book of the phone, by digits.';
comment on column sim_sessions.machine is
  'The whole state of the link. The other columns repeat the parts that statements search by.';
create index sim_sessions_step on sim_sessions (step_at) where step_at is not null;
create index sim_sessions_phone on sim_sessions (phone) where phone is not null;

create table sim_people (
  digits text primary key,
  online boolean not null
);
comment on table sim_people is 'Only the people whose phone was switched on or off, or is off from the beginning.';

create unlogged table sim_typing (
  container_id uuid,
  chat text,
  organization_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (container_id, chat)
);
create index sim_typing_chat on sim_typing (chat);
comment on table sim_typing is 'The numbers that show a person that they type.';

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
  failed boolean not null,
  at timestamptz not null,
  seen_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 95);
comment on column sim_messages.failed is 'Taken by the network, which then could not deliver it: it never reached a phone.';
create unique index sim_messages_client on sim_messages (container_id, client_id);
create unique index sim_messages_network on sim_messages (container_id, network_id);
create index sim_messages_chat on sim_messages (container_id, chat, id);

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
comment on table sim_events is 'What the network will report, and when.';
comment on column sim_events.waits_for is
  'The phone (person:<digits>) or the link (session:<container>) that must be online again first.';
create index sim_events_due on sim_events (due_at, id) where waits_for is null;
create index sim_events_waiting on sim_events (waits_for) where waits_for is not null;
create index sim_events_container on sim_events (container_id);

create table sim_faults (
  only_row boolean primary key default true check (only_row),
  settings jsonb not null
);

create table sim_fault_hits (
  container_id uuid not null,
  key text not null,
  hits integer not null,
  primary key (container_id, key)
);
comment on table sim_fault_hits is 'How often a fault has hit one call, so that each further try draws another number.';


-- 17. Periodic jobs ----------------------------------------------------------------------------------------------------

-- The table of the package @agendajs/postgres-backend, with its own names. It is created here because processes that
-- start together and each create it fail. A test compares it with what the package would create.
create table agenda_jobs (
  id uuid primary key default gen_random_uuid(),
  name varchar(255) not null,
  priority integer not null default 0,
  next_run_at timestamptz,
  type varchar(10) not null default 'normal' check (type in ('normal', 'single')),
  locked_at timestamptz,
  last_finished_at timestamptz,
  failed_at timestamptz,
  fail_count integer,
  fail_reason text,
  repeat_timezone varchar(100),
  last_run_at timestamptz,
  repeat_interval varchar(255),
  data jsonb default '{}',
  repeat_at varchar(255),
  disabled boolean default false,
  progress real,
  fork boolean default false,
  last_modified_by varchar(255),
  debounce_started_at timestamptz,
  start_date timestamptz,
  end_date timestamptz,
  skip_days jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index agenda_jobs_find_and_lock_idx on agenda_jobs (name, next_run_at, priority desc, locked_at, disabled)
  where disabled = false;
create unique index agenda_jobs_single_job_idx on agenda_jobs (name) where type = 'single';
create index agenda_jobs_locked_at_idx on agenda_jobs (locked_at) where locked_at is not null;
create index agenda_jobs_next_run_at_idx on agenda_jobs (next_run_at) where next_run_at is not null;

create function update_agenda_jobs_updated_at() returns trigger language plpgsql as $$
BEGIN
  NEW.updated_at = NOW();
  RETURN NEW;
END;
$$;
create trigger agenda_jobs_updated_at_trigger before update on agenda_jobs
  for each row execute function update_agenda_jobs_updated_at();


-- 17. Sockets of our own -----------------------------------------------------------------------------------------------

-- The numbers whose connections the gateway hosts keep. The role of a host needs rights on these tables only.

create function gateway_clock() returns timestamptz language sql stable parallel safe as 'select statement_timestamp()';
comment on function gateway_clock is
  'The time of leases. Moving the service time does not move it: a lease must not end while its owner is at work.';

create table gateway_hosts (
  id uuid primary key,
  url text not null,
  version text not null,
  capacity integer not null,
  draining boolean not null default false,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
comment on table gateway_hosts is 'Processes that hold connections. Each renews seen_at together with its leases.';

create table gateway_sessions (
  container_id uuid primary key,
  organization_id uuid not null,
  wanted text not null default 'stopped' check (wanted in ('running', 'stopped')),
  request text check (request in ('restart', 'logout', 'renew')),
  host_id uuid,
  epoch bigint not null default 0,
  lease_until timestamptz not null default 'epoch',
  last_host_id uuid,
  sealed_key text,
  creds bytea,
  me jsonb,
  status text not null default 'STOPPED',
  reason text,
  retry text,
  sequence bigint not null,
  state_at timestamptz not null default statement_timestamp(),
  sealed_proxy text,
  linked_at timestamptz
) with (fillfactor = 80);
comment on column gateway_sessions.request is
  'What the owner of the lease still has to do; any host takes the lease for it. renew: delete ratchets of a restored backup.';
comment on column gateway_sessions.epoch is
  'Raised with every new owner. A commit names it, so that a process that lost its lease stores nothing.';
comment on column gateway_sessions.sealed_key is
  'The key of this number, encrypted with SECRETS_KEYS. It encrypts creds and the rows of gateway_keys and gateway_sent.';
comment on column gateway_sessions.sealed_proxy is
  'The proxy through which the number connects, encrypted with SECRETS_KEYS; null: none.';
comment on column gateway_sessions.retry is 'When a failed number may be started again: a time, or never.';
create index gateway_sessions_host on gateway_sessions (host_id) where host_id is not null;
create index gateway_sessions_unowned on gateway_sessions (lease_until) where wanted = 'running' or request is not null;

create table gateway_keys (
  container_id uuid not null references gateway_sessions on delete cascade,
  kind smallint not null,
  id text collate "C" not null,
  value bytea not null,
  primary key (container_id, kind, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
comment on column gateway_keys.kind is 'A number from the list in the gateway host; numbers are never used again.';

create table gateway_sent (
  container_id uuid not null references gateway_sessions on delete cascade,
  network_id text collate "C" not null,
  chat text not null,
  message bytea not null,
  is_poll boolean not null default false,
  acked_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default statement_timestamp(),
  primary key (container_id, network_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
comment on table gateway_sent is
  'Messages as they were sent, for phones that request them again and for repeated sends. Deleted a day after delivery.';
create index gateway_sent_age on gateway_sent (created_at);

-- What a phone shared when it was linked.
create table gateway_history (
  container_id uuid not null references gateway_sessions on delete cascade,
  chat text collate "C" not null,
  network_id text collate "C" not null,
  body jsonb not null,
  at timestamptz not null,
  primary key (container_id, chat, network_id)
);
create index gateway_history_age on gateway_history (at);


-- 18. AI clients -------------------------------------------------------------------------------------------------------

-- What AI clients of an organization may do; without a row the defaults hold.
create table mcp_settings (
  organization_id uuid primary key references organizations on delete cascade,
  enabled boolean not null,
  sends_per_hour integer not null check (sends_per_hour between 0 and 300),
  approve text not null check (approve in ('strangers', 'all')),
  key_scopes text[] not null
);

-- The connection of an AI client: what a person allowed it by OAuth. It is never more than the person.
create table mcp_connections (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  client_id text not null,
  client_name text not null,
  client_host text,
  scopes text[] not null,
  container_id uuid,
  two_factor_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  reason text
);
comment on column mcp_connections.container_id is 'The only number it uses; null for all numbers of the organization.';
comment on column mcp_connections.two_factor_at is 'When the person who allowed it had made the second step; null for one step.';
create index mcp_connections_organization on mcp_connections (organization_id, created_at);
create index mcp_connections_person on mcp_connections (user_id);

-- The tokens of connections, by their hash. A used refresh token stays, so that its reuse is noticed.
create table oauth_tokens (
  token_hash bytea primary key,
  connection_id uuid not null references mcp_connections on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_tokens_connection on oauth_tokens (connection_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);

-- AI clients: those that registered, and those whose id is the address of a document, while the document is kept.
create table oauth_clients (
  id text primary key,
  name text not null,
  host text,
  redirect_uris text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  kept_until timestamptz
);
comment on column oauth_clients.host is 'The host of the document; null for a client that registered.';
comment on column oauth_clients.redirect_uris is 'Empty for a document that could not be read.';
comment on column oauth_clients.kept_until is 'Until when the document is kept; null for a client that registered.';
create index oauth_clients_age on oauth_clients ((coalesce(kept_until, used_at, created_at)));

-- Requests of AI clients for a connection, until a person answers.
create table oauth_requests (
  id uuid primary key,
  client_id text not null,
  client_name text not null,
  client_host text,
  redirect_uri text not null,
  scopes text[] not null,
  state text,
  code_challenge text not null,
  issuer text not null,
  browser_hash bytea not null,
  expires_at timestamptz not null,
  answered_at timestamptz
);
comment on column oauth_requests.browser_hash is 'SHA-256 of the cookie of the browser in which it began.';
create index oauth_requests_expiry on oauth_requests (expires_at);

create table oauth_codes (
  code_hash bytea primary key,
  connection_id uuid not null references mcp_connections on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_codes_connection on oauth_codes (connection_id);
create index oauth_codes_expiry on oauth_codes (expires_at);

-- What an AI client wants to do and a person decides.
create table mcp_actions (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  connection_id uuid,
  credential text not null,
  tool text not null,
  idempotency_key text not null,
  arguments_hash bytea not null,
  arguments_sealed text,
  reason text not null,
  summary text not null,
  state text not null check (state in ('pending', 'approved', 'done', 'failed', 'denied', 'expired')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  carried_out_by timestamptz,
  result jsonb,
  unique (organization_id, credential, tool, idempotency_key)
);
comment on column mcp_actions.credential is 'Who called: account, number:<id> or connection:<id>.';
comment on column mcp_actions.arguments_sealed is 'The arguments, encrypted with SECRETS_KEYS; erased when the action has ended.';
comment on column mcp_actions.carried_out_by is
  'Until when the process that carries out the approved action must be done; after it another one does, with the same key.';
create index mcp_actions_organization on mcp_actions (organization_id, requested_at);
create index mcp_actions_age on mcp_actions (requested_at);
create index mcp_actions_open on mcp_actions (expires_at) where state in ('pending', 'approved');

-- The calls of tools, without their texts.
create table mcp_calls (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations on delete cascade,
  connection_id uuid,
  credential text not null,
  tool text not null,
  at timestamptz not null,
  outcome text not null check (outcome in ('ok', 'waiting', 'failed')),
  code text,
  ms integer not null,
  phone text
);
create index mcp_calls_organization on mcp_calls (organization_id, id);
create index mcp_calls_at on mcp_calls (at);

-- The messages of AI clients within the last hour, for their limits.
create table mcp_sends (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  credential text not null,
  at timestamptz not null
);
create index mcp_sends_credential on mcp_sends (organization_id, credential, at);
create index mcp_sends_at on mcp_sends (at);

-- What AI clients have read in the chat with each person, as hashes of pieces of the texts, for a day.
create table mcp_read_texts (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations on delete cascade,
  credential text not null,
  person text not null,
  at timestamptz not null,
  hashes bigint[] not null,
  unique (organization_id, credential, person)
);
create index mcp_read_texts_at on mcp_read_texts (at);

-- 19. Assistants -------------------------------------------------------------------------------------------------------

create table bots (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'active', 'paused')),
  languages text[] not null,
  texts jsonb not null,
  instructions text not null,
  hours jsonb,
  outside_hours text not null check (outside_hours in ('answer', 'away')),
  person_words text[] not null,
  human_pause_minutes integer not null,
  shop jsonb,
  knowledge_version bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column bots.knowledge_version is 'Raised by each change of the answers: processes keep an index of one version in memory.';
comment on column bots.shop is 'Amounts are in the smallest unit of the currency.';
create index bots_organization on bots (organization_id, created_at, id);

-- The numbers of an assistant. Receiving a message joins this table, so an inbound message without one costs no query.
create table bot_numbers (
  bot_id uuid not null references bots on delete cascade,
  container_id uuid not null references numbers on delete cascade,
  organization_id uuid not null,
  active boolean not null default false,
  place integer not null,
  primary key (bot_id, container_id)
);
create unique index bot_numbers_active on bot_numbers (container_id) where active;
create index bot_numbers_number on bot_numbers (container_id);

create table bot_answers (
  id uuid primary key,
  bot_id uuid not null references bots on delete cascade,
  organization_id uuid not null,
  answer text not null,
  lang text not null,
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index bot_answers_bot on bot_answers (bot_id, created_at, id);

create table bot_questions (
  answer_id uuid not null references bot_answers on delete cascade,
  place integer not null,
  bot_id uuid not null,
  organization_id uuid not null,
  lang text not null,
  text text not null,
  asked text not null,
  stems text[] not null,
  primary key (answer_id, place)
);
comment on column bot_questions.asked is 'The text without case and punctuation: no two answers of one language share it.';
create unique index bot_questions_asked on bot_questions (bot_id, lang, asked);

create table bot_conversations (
  id uuid primary key,
  bot_id uuid not null references bots on delete cascade,
  organization_id uuid not null,
  container_id uuid not null,
  contact_id uuid not null,
  lang text not null,
  state text not null default 'assistant' check (state in ('assistant', 'person')),
  person_until timestamptz,
  greeted boolean not null default false,
  failures integer not null default 0,
  choices jsonb not null default '[]',
  away_said_at timestamptz,
  said_at jsonb not null default '[]',
  steps_at jsonb not null default '[]',
  draft jsonb,
  due_at timestamptz,
  waiting_since timestamptz,
  attempts integer not null default 0,
  lease_token uuid,
  started_at timestamptz not null,
  last_at timestamptz not null,
  closed_at timestamptz
) with (fillfactor = 70);
comment on column bot_conversations.person_until is 'Null with state person: until it is given back, or ends.';
comment on column bot_conversations.said_at is 'When it answered within the last hour, in milliseconds; steps_at the same for steps of an order.';
comment on column bot_conversations.lease_token is 'Set while a model is queried: only the holder writes what follows.';
create unique index bot_conversations_open on bot_conversations (bot_id, container_id, contact_id) where closed_at is null;
create index bot_conversations_due on bot_conversations (due_at) where due_at is not null;
create index bot_conversations_listed on bot_conversations (bot_id, last_at desc, id desc);
create index bot_conversations_contact on bot_conversations (organization_id, contact_id);

-- What came in and has not been answered. A row is deleted in the transaction that answers it.
create table bot_inbox (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references bot_conversations on delete cascade,
  organization_id uuid not null,
  text text not null,
  is_place boolean not null default false,
  written_at timestamptz not null,
  received_at timestamptz not null
);
create index bot_inbox_conversation on bot_inbox (conversation_id, id);

create table bot_turns (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references bot_conversations on delete cascade,
  organization_id uuid not null,
  at timestamptz not null,
  question text not null,
  kind text not null,
  said text,
  answer_id uuid,
  score double precision,
  message_id uuid
);
create index bot_turns_conversation on bot_turns (conversation_id, id);
create index bot_turns_counted on bot_turns (organization_id, at) include (kind);
create index bot_turns_age on bot_turns using brin (at);

create table bot_reviews (
  id uuid primary key,
  bot_id uuid not null references bots on delete cascade,
  organization_id uuid not null,
  conversation_id uuid not null references bot_conversations on delete cascade,
  question text not null,
  lang text,
  reason text,
  status text not null default 'open' check (status in ('open', 'resolved', 'dismissed')),
  answer text,
  created_at timestamptz not null,
  resolved_at timestamptz
);
create index bot_reviews_listed on bot_reviews (bot_id, created_at desc, id desc);
create index bot_reviews_conversation on bot_reviews (conversation_id);

create table bot_products (
  id uuid primary key,
  bot_id uuid not null references bots on delete cascade,
  organization_id uuid not null,
  sku text,
  name text not null,
  description text not null,
  price bigint not null check (price >= 0),
  stock integer check (stock >= 0),
  available boolean not null,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column bot_products.price is 'In the smallest unit of the currency of the shop, like all amounts of orders.';
create unique index bot_products_sku on bot_products (bot_id, sku);
create index bot_products_menu on bot_products (bot_id, position, id);

create table bot_orders (
  id uuid primary key,
  bot_id uuid not null references bots on delete cascade,
  organization_id uuid not null,
  conversation_id uuid not null,
  container_id uuid not null,
  contact_id uuid not null,
  number bigint not null,
  status text not null check (status in ('placed', 'confirmed', 'shipped', 'delivered', 'cancelled', 'refused')),
  delivery_fee bigint not null,
  total bigint not null,
  currency text not null,
  name text,
  address text,
  note text,
  history jsonb not null,
  placed_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index bot_orders_number on bot_orders (organization_id, number);
create index bot_orders_listed on bot_orders (bot_id, number desc);
create index bot_orders_contact on bot_orders (organization_id, contact_id);

create table bot_order_lines (
  order_id uuid not null references bot_orders on delete cascade,
  place integer not null,
  organization_id uuid not null,
  product_id uuid not null,
  name text not null,
  price bigint not null,
  quantity integer not null check (quantity > 0),
  primary key (order_id, place)
);

create table bot_order_phones (
  bot_id uuid not null references bots on delete cascade,
  phone text not null,
  organization_id uuid not null,
  name text,
  created_at timestamptz not null,
  primary key (bot_id, phone)
);
create index bot_order_phones_phone on bot_order_phones (organization_id, phone);

-- The last order number of an organization. Its row lock orders the numbers and leaves no holes.
create table order_numbers (
  organization_id uuid primary key references organizations on delete cascade,
  last_number bigint not null
);

-- What models cost an organization. `trial` is the period of a whole trial; otherwise it is the month, like 2026-11.
create table ai_usage (
  organization_id uuid not null references organizations on delete cascade,
  period text not null,
  reserved_micro_usd bigint not null default 0,
  used_micro_usd bigint not null default 0,
  calls bigint not null default 0,
  primary key (organization_id, period)
) with (fillfactor = 70);

-- Voice notes to an assistant that wait for a transcript.
create table bot_voice_notes (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  container_id uuid not null references numbers on delete cascade,
  arrival jsonb not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  received_at timestamptz not null
);
create index bot_voice_notes_due on bot_voice_notes (due_at);
