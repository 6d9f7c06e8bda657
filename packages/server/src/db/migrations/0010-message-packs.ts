/**
 * The searchable form of long histories: the messages of an organization in packs of some dozens that follow each
 * other, written by a periodic job once nothing can come between them any more. The table of messages itself carries no
 * index for searching, because each of the five changes that a message goes through would pay for it.
 */
export const messagePacks = `
-- A pack holds every message behind the pack before it, up to and with until_at, until_id.
create table message_packs (
  organization_id uuid not null,
  until_at timestamptz not null,
  until_id uuid not null,
  from_at timestamptz not null,
  ids uuid[] not null,
  haystack text not null,
  pairs text not null,
  primary key (organization_id, until_at, until_id)
) with (toast_tuple_target = 8160);
-- Reading a pack is what a search does most: nothing is compressed, and a pack fills a page.
alter table message_packs
  alter ids set storage external, alter haystack set storage external, alter pairs set storage external;

-- The job that writes packs merges the pending entries itself, many at once.
-- Trigrams come with a module of Postgres that nearly every host has. Without it a search reads all packs.
do $$ begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index message_packs_text on message_packs
      using gin (organization_id, haystack gin_trgm_ops, pairs gin_trgm_ops) with (gin_pending_list_limit = 65536);
  end if;
exception when insufficient_privilege then
  raise warning 'searching will be slow: this user may not create the extensions pg_trgm and btree_gin';
end $$;

-- How far an organization's history is packed, and how many messages that are.
create table message_packing (
  organization_id uuid primary key,
  through_at timestamptz not null,
  through_id uuid not null,
  packed bigint not null
);

-- Messages that changed where packs may be: a search looks at them one by one until their packs are written anew.
create table message_pack_changes (
  organization_id uuid not null,
  created_at timestamptz not null,
  message_id uuid not null
);
create index message_pack_changes_organization on message_pack_changes (organization_id);

-- Packs begin two minutes behind the service's time; what is younger than one cannot be in any.
create function note_pack_changes() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' then
    insert into message_pack_changes
    select new.organization_id, new.created_at, new.id
     where new.created_at < (select service_now()) - interval '1 minute';
  elsif tg_op = 'INSERT' then
    insert into message_pack_changes
    select organization_id, created_at, id from added where created_at < (select service_now()) - interval '1 minute';
  else
    insert into message_pack_changes
    select organization_id, created_at, id from removed where created_at < (select service_now()) - interval '1 minute';
  end if;
  return null;
end $$;

create trigger messages_pack_added after insert on messages
  referencing new table as added for each statement execute function note_pack_changes();
create trigger messages_pack_removed after delete on messages
  referencing old table as removed for each statement execute function note_pack_changes();
create trigger messages_pack_edited after update of content, recipient on messages
  for each row when (old.content is distinct from new.content or old.recipient is distinct from new.recipient)
  execute function note_pack_changes();
`
