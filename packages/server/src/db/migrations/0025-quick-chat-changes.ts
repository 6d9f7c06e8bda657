/**
 * Changes of chats are noted once for each statement and no longer once for each message: outcomes are written hundreds
 * at a time, and a fifth of that went into the notes. A claim, which sends nothing yet, leaves at the first look. The plan
 * is made once a session, be it for one message, and must do for hundreds: without nested loops it does.
 */
export const quickChatChanges = `
create function note_chat_changes() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if not exists (select from added where sent_at is not null) then return null; end if;
  insert into chat_changes (organization_id, container_id, message_id)
  select a.organization_id, a.container_id, a.id
    from added a join removed r on r.id = a.id
   where a.container_id is not null and a.sent_at is not null
     and (r.sent_at is null or (r.deleted_at is null and a.deleted_at is not null));
  return null;
end $$;
drop trigger messages_chat_changed on messages;
drop function note_chat_change;
create trigger messages_chat_changed after update on messages
  referencing old table as removed new table as added for each statement execute function note_chat_changes();
`
