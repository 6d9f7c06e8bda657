/**
 * The open event streams of all processes, so that the most an organization may have is counted over all of them. A
 * process renews its rows while it lives; what a crash of the database takes with it comes back at the next renewal.
 */
export const eventStreams = `
create unlogged table event_streams (
  id uuid primary key,
  organization_id uuid not null,
  until timestamptz not null
);
create index event_streams_organization on event_streams (organization_id);
`
