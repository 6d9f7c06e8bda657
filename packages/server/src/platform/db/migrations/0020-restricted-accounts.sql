-- An account that the network limits keeps its connection, so that its state alone does not show it.
alter table numbers add column restricted_until timestamptz;
comment on column numbers.restricted_until is 'Until when the network limits what the account may send, as it said at a refused send.';
