-- Groups are ignored where an operator says so. Sessions that receive nothing or refuse everything are restarted, at
-- most once in a time, and what the network allows an account is reported when it changes.
alter table waha_hosts add column groups boolean default true not null;
alter table waha_sessions
  add column heard_at timestamptz,
  add column examined_at timestamptz,
  add column repaired_at timestamptz,
  add column limits text;
comment on column waha_hosts.groups is 'Whether its sessions report messages of groups.';
comment on column waha_sessions.heard_at is 'The latest webhook, to within five minutes.';
comment on column waha_sessions.examined_at is 'When its chats were last compared with its webhooks.';
comment on column waha_sessions.repaired_at is 'When the service last restarted it because it heard nothing or refused every message.';
comment on column waha_sessions.limits is 'The limits of the account that were reported last, as JSON.';
