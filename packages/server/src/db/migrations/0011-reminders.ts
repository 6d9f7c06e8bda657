/** Reminders, and which of their occurrences were sent. */
export const reminders = `
create table reminders (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  owner_id uuid not null,
  -- No reference: a reminder outlives its number, and fails at its time.
  container_id uuid,
  label text,
  phone text not null,
  message text not null,
  variables jsonb not null,
  repeat text not null check (repeat in ('none', 'daily', 'weekly', 'monthly')),
  time_zone text not null,
  status text not null check (status in ('scheduled', 'processing', 'done', 'failed', 'cancelled')),
  -- The occurrence that is sent next, or was sent last.
  send_at timestamptz not null,
  first_send_at timestamptz not null,
  -- When the job has to look at it: its time, the next try after a passing failure, or the end of the lease.
  due_at timestamptz not null,
  lease_token uuid,
  -- Tries of this occurrence that failed in passing, and repeats that failed in a row.
  failed_tries integer not null default 0,
  failed_repeats integer not null default 0,
  -- How often a sendAt was given: an occurrence is one only within its arming.
  arming integer not null default 1,
  batch_id uuid,
  send_count integer not null default 0,
  last_sent_at timestamptz,
  last_message_id uuid,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
create index reminders_due on reminders (due_at) where status in ('scheduled', 'processing');
-- The order of the list: upcoming first by their time, then the others by their latest change.
create index reminders_listed on reminders (
  organization_id, (status in ('scheduled', 'processing')) desc,
  (case when status in ('scheduled', 'processing') then send_at end), updated_at desc, id desc);

-- One message for each occurrence, whoever sends it and however often it is tried.
create table reminder_sends (
  reminder_id uuid not null references reminders on delete cascade,
  arming integer not null,
  occurrence_at timestamptz not null,
  message_id uuid not null,
  primary key (reminder_id, arming, occurrence_at)
);
`
