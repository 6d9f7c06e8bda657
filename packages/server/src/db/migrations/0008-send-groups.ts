/** Which numbers of an organization stand in for each other, and which one a contact was last written to from. */
export const sendGroups = `
create table send_groups (
  organization_id uuid primary key references organizations on delete cascade,
  enabled boolean not null,
  -- In their order. A number that stands here cannot be removed.
  container_ids uuid[] not null,
  mode text not null check (mode in ('backup', 'share')),
  sticky boolean not null,
  updated_at timestamptz not null
);

create index messages_contact on messages (organization_id, recipient, created_at desc);
`
