-- A move ends with the receipt of the import, and its data is kept for some days.
alter table organizations
  add column exported_digests bytea[] not null default '{}',
  add column import_receipt text,
  add column moved_at timestamptz;
comment on column organizations.exported_digests is
  'The SHA-256 of each file of org export since it was closed for its move: the receipt of the import names one of them.';
comment on column organizations.import_receipt is 'What org import printed; it ends the move in the other installation.';
comment on column organizations.moved_at is 'When its move ended. Null again once its data is deleted here.';
comment on column organizations.moved_to is 'The address to which it has moved. Its data is deleted here some days later.';
create index organizations_moved on organizations (moved_at) where moved_at is not null;
