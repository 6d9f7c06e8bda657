/**
 * Messages that leave at once, in the request itself, and the votes in polls that were sent. `direct` says that nobody
 * but that request ever hands the message to the network; `caller_told` is the error that its caller was answered, as
 * `{code, details}`, so that a repeat under the same Idempotency-Key hears it again.
 */
export const directSends = `
alter table messages add column direct boolean not null default false, add column caller_told jsonb;

-- While nobody knows whether the network took a message, its receipts can only find it by the id that we chose for it.
create index messages_unknown on messages (container_id, network_client_id) where outcome_unknown_since is not null;

-- A vote is told once although the network may report it again. message_id is null while its poll is not known yet.
create table poll_votes (
  container_id uuid not null,
  vote_network_id text not null,
  organization_id uuid not null,
  poll_network_id text not null,
  voter text not null,
  selected_options jsonb not null,
  voted_at timestamptz not null,
  received_at timestamptz not null,
  message_id uuid,
  primary key (container_id, vote_network_id)
);
create index poll_votes_waiting on poll_votes (container_id, poll_network_id) where message_id is null;
create index poll_votes_age on poll_votes (received_at);
`
