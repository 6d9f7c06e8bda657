-- Messages are sent by several processes: whether one was taken in between is known to all of them. A restart is
-- reported itself, so whether it helped is seen by messages alone.
alter table waha_sessions
  add column taken_at timestamptz,
  add column message_heard_at timestamptz;
comment on column waha_sessions.taken_at is 'When the network took a message of it last.';
comment on column waha_sessions.message_heard_at is 'The latest webhook about a message, to within five minutes.';
