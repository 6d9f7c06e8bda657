-- The network refuses one person with the code of a time lock. Three people within an hour pause new conversations.
-- In the order in which the guard reads them, so that no process that runs and this one wait for each other.
lock table numbers, number_guards, guard_sends in access exclusive mode;
alter table guard_sends add column refused_at timestamptz;
comment on column guard_sends.refused_at is 'When the network refused its recipient, while it let the account begin conversations.';
create index guard_sends_refused on guard_sends (container_id, refused_at) where refused_at is not null;
alter table number_guards add column paused_until timestamptz;
comment on column number_guards.paused_until is 'Until when it begins no conversations, because the network refused several people.';
