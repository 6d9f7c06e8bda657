-- Before a loop works on items, it commits which ones. So an item with which a process dies is known afterwards.
create table work_batches (
  id uuid primary key,
  kind text not null,
  items text[] not null,
  organizations uuid[] not null,
  lease_until timestamptz not null
);
create index work_batches_kind on work_batches (kind);
comment on table work_batches is 'Items that a process works on. It renews the lease of its rows, and deletes each when the work has ended, whatever its result.';
comment on column work_batches.organizations is 'The organizations of the items, in their order; null for an item without one.';

create table suspects (
  kind text not null,
  item text not null,
  organization_id uuid,
  lost_processes smallint not null,
  lost_at timestamptz not null,
  set_aside_at timestamptz,
  primary key (kind, item)
);
create index suspects_organization on suspects (organization_id);
create index suspects_age on suspects (lost_at);
comment on table suspects is 'Items that a process worked on when it died. A row goes when the work on its item ends without a death.';
comment on column suspects.organization_id is 'No reference: counting a death must not fail. Null for an item without an organization.';
comment on column suspects.lost_processes is 'Processes in a row that died while they worked on it.';
comment on column suspects.set_aside_at is 'Since when no loop works on the item any more.';

-- The queue and the deliveries have leases of their own.
alter table messages add column lost_processes smallint not null default 0;
comment on column messages.lost_processes is 'Processes in a row that were lost with a claim of it.';
alter table webhook_deliveries add column lost_processes smallint not null default 0;
comment on column webhook_deliveries.lost_processes is 'Processes in a row that were lost with a claim of it.';
