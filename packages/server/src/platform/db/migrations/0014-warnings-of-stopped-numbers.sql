-- The network removes a linked device that does not log in for about 30 days.
alter table numbers add column unused_warned_at timestamptz;
comment on column numbers.unused_warned_at is 'When it was last reported that the number is stopped for so long that its link may end.';
create index numbers_stopped on numbers (status_since) where status = 'STOPPED' and network_id is not null;
