-- What the network gives as a code beside the reason why a connection ended.
alter table gateway_sessions add column code integer;
comment on column gateway_sessions.code is 'The code of the network for its reason, where it says more.';
alter table numbers add column status_code integer;
comment on column numbers.status_code is 'The code of the network for status_reason, where it says more.';
