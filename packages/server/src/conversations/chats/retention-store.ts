import { type Db, rows } from '#platform/db/db.ts'
import { firstIdAt } from '#platform/db/time-ids.ts'

/**
 * Deletes up to `limit` messages from chats that are older than `days`, of all organizations. Contacts and their
 * opt-outs stay. Returns how many there were.
 */
export async function deleteOldChatMessages(db: Db, days: number, limit = 5000): Promise<number> {
  const deleted = await rows<{ deleted: number }>(
    db,
    `with gone as (
       delete from chat_messages where id = any(array(
         select id from chat_messages
          where id < ${firstIdAt(`(select service_now()) - :days::int * interval '1 day'`)}
            and at < (select service_now()) - :days::int * interval '1 day'
          order by id limit :limit))
       returning organization_id, container_id, contact_id
     ), changed as (
       insert into chat_changes (organization_id, container_id, contact_id)
       select distinct organization_id, container_id, contact_id from gone where contact_id is not null
     )
     select count(*) as deleted from gone`,
    { days, limit },
  )
  return deleted[0]?.deleted ?? 0
}
