/**
 * The people an organization knows, whatever number of its own they wrote to. A person is one row: the hidden id and the
 * digits come together in it once the network tells that they are the same.
 */
export const contacts = `
create table contacts (
  id uuid primary key,
  organization_id uuid not null,
  phone text,
  lid text,
  -- What the address book of one of the numbers calls the person, and what the person shows to the network.
  saved_name text,
  network_name text,
  -- The numbers whose address books hold the person, and those that met the person at all.
  saved_in uuid[] not null default '{}',
  known_to uuid[] not null default '{}',
  opted_out boolean not null default false,
  -- When opted_out was decided last: a word that was written before it, and comes after it, decides nothing.
  opted_at timestamptz,
  created_at timestamptz not null,
  search_text text not null generated always as (
    lower(coalesce(saved_name, '') || chr(30) || coalesce(network_name, '') || chr(30) || coalesce(phone, '') || chr(30)
          || coalesce(lid, ''))) stored,
  check (phone is not null or lid is not null)
) with (fillfactor = 80);
create unique index contacts_phone on contacts (organization_id, phone);
create unique index contacts_lid on contacts (organization_id, lid);
-- The order of a search: what nearly everybody matches is found by walking along it.
create index contacts_order on contacts
  (organization_id, (saved_in = '{}'), (coalesce(saved_name, network_name)), phone, id);

-- Trigrams come with a module of Postgres that nearly every host has. Without it a search reads all contacts.
do $$ begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index contacts_text on contacts using gin (organization_id, search_text gin_trgm_ops);
  end if;
exception when insufficient_privilege then
  raise warning 'searching will be slow: this user may not create the extensions pg_trgm and btree_gin';
end $$;

-- The stop words of an organization beside those that hold for all.
create table opt_out_words (
  organization_id uuid primary key,
  words text[] not null
);
`
