/**
 * What the supervisor of numbers works with. supervise_at is when it has to look at a number next, null for one that
 * needs nobody; status_since is when the number came to its status, while status_at is when that was last reported.
 */
export const numberSupervision = `
alter table numbers
  add column status_since timestamptz,
  add column status_reason text,
  add column supervise_at timestamptz,
  -- Looks in a row at which the host of the number did not answer.
  add column missed_probes integer not null default 0,
  -- Whether receivers heard that the quick attempts are used up.
  add column exhaustion_told boolean not null default false,
  -- When the number was reconnected because nothing it sent was acknowledged.
  add column unheard_since timestamptz;
update numbers
   set status_since = status_at, supervise_at = case when status = 'STOPPED' then null else status_at end;
alter table numbers alter column status_since set not null;
create index numbers_supervised on numbers (supervise_at) where supervise_at is not null;
create index number_history_age on number_history (at);

-- Since when the driver has a message that the network has not acknowledged; a receipt of any kind ends it.
alter table messages add column unacknowledged_since timestamptz;
create index messages_unacknowledged on messages (container_id, coalesce(unacknowledged_since, outcome_unknown_since))
 where unacknowledged_since is not null or outcome_unknown_since is not null;
`
