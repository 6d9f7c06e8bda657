/**
 * Conversations: everything that was written between a number and a person, in both directions. A message that the
 * service sent is a row with the id of its row in messages, which alone says what it is; the rows get here by
 * chat_changes, which the triggers fill without a lock and a fold empties (decision 0018).
 */
export const chats = `
-- One conversation of one number. unread counts the rows of chat_messages that are unread.
create table chats (
  container_id uuid not null,
  contact_id uuid not null,
  organization_id uuid not null,
  last_at timestamptz not null,
  unread integer not null default 0,
  primary key (container_id, contact_id)
) with (fillfactor = 70);
create index chats_newest on chats (container_id, last_at desc, contact_id desc);
create index chats_contact on chats (contact_id);

create table chat_messages (
  id uuid primary key,
  organization_id uuid not null,
  container_id uuid not null,
  -- Null for what was written in a group: it belongs to no conversation with one person.
  contact_id uuid,
  direction text not null check (direction in ('in', 'out')),
  network_id text,
  at timestamptz not null,
  -- The service sent it: the row of messages with this id says everything else.
  ours boolean not null default false,
  -- Read from the network's history; the network may still report it as new.
  imported boolean not null default false,
  type text not null,
  text text not null,
  attachment text,
  unread boolean not null default false,
  edited_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 90, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
create unique index chat_messages_network on chat_messages (container_id, network_id);
create index chat_messages_thread on chat_messages (container_id, contact_id, at desc, id desc)
  where contact_id is not null;
create index chat_messages_unread on chat_messages (container_id, at, id) where unread;
create index chat_messages_unread_contact on chat_messages (contact_id) where unread;

-- What still has to be brought into the chats: a message that was sent or taken back, or a contact whose messages are gone.
create table chat_changes (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  container_id uuid not null,
  message_id uuid,
  contact_id uuid
);
create index chat_changes_container on chat_changes (container_id, id);

create function note_chat_change() returns trigger language plpgsql as $$
begin
  insert into chat_changes (organization_id, container_id, message_id)
  values (new.organization_id, new.container_id, new.id);
  return null;
end $$;
create trigger messages_chat_changed after update on messages
  for each row when (
    new.container_id is not null and new.sent_at is not null
    and (old.sent_at is null or (old.deleted_at is null and new.deleted_at is not null)))
  execute function note_chat_change();

create function forget_chat_messages() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from chat_messages c using removed r where r.sent_at is not null and c.id = r.id
    returning c.organization_id, c.container_id, c.contact_id
  )
  insert into chat_changes (organization_id, container_id, contact_id)
  select distinct organization_id, container_id, contact_id from gone where contact_id is not null;
  return null;
end $$;
create trigger messages_chat_removed after delete on messages
  referencing old table as removed for each statement execute function forget_chat_messages();

-- Making the triggers has locked the table against writers, so nothing is missed between them and this.
insert into chat_changes (organization_id, container_id, message_id)
select organization_id, container_id, id from messages
 where sent_at is not null and container_id is not null order by sent_at;

-- Edits and deletes of messages that are not known yet: they wait here until the message is.
create table early_changes (
  container_id uuid not null,
  network_id text not null,
  kind text not null check (kind in ('edited', 'revoked')),
  text text,
  at timestamptz not null,
  received_at timestamptz not null,
  primary key (container_id, network_id, kind)
);
create index early_changes_age on early_changes (received_at);

-- What is known of a number's history on the network. wanted_at: it shall be read, or is being read under the lease;
-- reached_at: the conversations that are younger were read already; phone_busy_at: the phone itself is handing it over.
create table history_imports (
  container_id uuid primary key,
  organization_id uuid not null,
  wanted_at timestamptz,
  due_at timestamptz,
  reached_at timestamptz,
  attempts integer not null default 0,
  phone_busy_at timestamptz,
  imported_at timestamptz
);
create index history_imports_due on history_imports (due_at) where wanted_at is not null;
create index history_imports_organization on history_imports (organization_id);
`
