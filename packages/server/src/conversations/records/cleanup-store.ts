import { type Db, rows } from '#platform/db/db.ts'

/**
 * Deletes the chats of numbers that were removed, of all organizations and at most 5,000 messages a call. Returns how
 * many messages were deleted. The numbers that have messages are found with one index probe each.
 */
export async function deleteOrphanChats(db: Db): Promise<number> {
  const deleted = await rows<{ containerId: string }>(
    db,
    `with recursive holders as (
       (select container_id from chat_messages order by container_id limit 1)
       union all
       select (select m.container_id from chat_messages m where m.container_id > h.container_id order by m.container_id
           limit 1)
         from holders h where h.container_id is not null
     ), orphan as materialized (
       select container_id from holders h
        where h.container_id is not null and not exists (select from numbers n where n.id = h.container_id)
     )
     delete from chat_messages where id = any(array(
       select m.id from orphan join chat_messages m on m.container_id = orphan.container_id limit 5000))
     returning container_id`,
  )
  const containers = [...new Set(deleted.map(({ containerId }) => containerId))]
  if (containers.length === 0) return 0
  await db('chats').whereIn('containerId', containers).delete()
  await db('chat_changes').whereIn('containerId', containers).delete()
  return deleted.length
}
