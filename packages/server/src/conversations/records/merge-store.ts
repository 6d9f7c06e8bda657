import { type Db, rows } from '#platform/db/db.ts'

/** Returns how many messages a contact has. */
export async function countMessages(db: Db, organizationId: string, contactId: string): Promise<number> {
  const [counted] = await rows<{ messages: number }>(
    db,
    `select count(*) as messages from chats h
       join chat_messages m on m.container_id = h.container_id and m.contact_id = h.contact_id
      where h.organization_id = :organizationId and h.contact_id = :contactId`,
    { organizationId, contactId },
  )
  return counted?.messages ?? 0
}

/** Moves the chats of one contact to another one. Returns how many messages were moved. */
export async function moveChats(trx: Db, organizationId: string, from: string, into: string): Promise<number> {
  const moved = await rows(
    trx,
    `with holders as (
       select container_id from chats where organization_id = :organizationId and contact_id = :from
     )
     update chat_messages m set contact_id = :into
       from holders where m.container_id = holders.container_id and m.contact_id = :from
     returning 1 as moved`,
    { organizationId, from, into },
  )
  await rows(
    trx,
    `with ended as (
       delete from chats where organization_id = :organizationId and contact_id = :from
       returning container_id, last_at, unread
     )
     insert into chats as h (container_id, contact_id, organization_id, last_at, unread)
     select container_id, :into, :organizationId, last_at, unread from ended order by container_id
     on conflict (container_id, contact_id)
     do update set last_at = greatest(h.last_at, excluded.last_at), unread = h.unread + excluded.unread`,
    { organizationId, from, into },
  )
  await trx('chat_changes').where({ organizationId, contactId: from }).update({ contactId: into })
  return moved.length
}
