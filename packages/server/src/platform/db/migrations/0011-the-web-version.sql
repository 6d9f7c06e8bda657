-- The version that gateway hosts claim to be is data, so that it can follow the network's own client.
create table gateway_web_version (
  only_row boolean primary key default true check (only_row),
  version text,
  source text check (source in ('fetched', 'set')),
  known_at timestamptz,
  tried_at timestamptz,
  fault text,
  check ((version is null) = (source is null) and (version is null) = (known_at is null))
);
comment on table gateway_web_version is 'The version of the network''s own client. A gateway host reads it at each connection.';
comment on column gateway_web_version.source is 'Whether the network named it, or the operator.';
comment on column gateway_web_version.known_at is 'When it was last known to be the present one.';
comment on column gateway_web_version.tried_at is 'When it was last fetched, or tried to be.';
comment on column gateway_web_version.fault is 'Why the last try failed; null after one that succeeded.';
alter table gateway_hosts add column web_version text;
comment on column gateway_hosts.web_version is 'The version that the host claims to be by its settings; null: the stored one.';
