-- A link that the network ended is kept for 30 days: some of these ends are mistakes.
alter table gateway_sessions add column retired_at timestamptz, add column retired_creds bytea;
create index gateway_sessions_retired on gateway_sessions (retired_at) where retired_at is not null;
comment on column gateway_sessions.retired_at is 'When the network ended the last link. Its keys have kinds from 1000 on in gateway_keys.';
comment on column gateway_sessions.retired_creds is 'The credentials of that link, encrypted as creds are.';
