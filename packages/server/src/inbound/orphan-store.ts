import { type Db, rows } from '../db/db.ts'

/** Which numbers have chats without being there any more. All tenants are looked at, one step of an index for each number. */
const orphans = `
  with recursive holders as (
    (select container_id from chat_messages order by container_id limit 1)
    union all
    select (select m.container_id from chat_messages m where m.container_id > h.container_id order by m.container_id limit 1)
      from holders h where h.container_id is not null
  ), orphan as materialized (
    select container_id from holders h
     where h.container_id is not null and not exists (select from numbers n where n.id = h.container_id)
  )`

/** Forgets conversations and imports of numbers that were removed, so many messages at a time; answers how many went. */
export async function deleteOrphans(db: Db): Promise<number> {
  const gone = await rows<{ containerId: string }>(
    db,
    `${orphans}
     delete from chat_messages where id = any(array(
       select m.id from orphan join chat_messages m on m.container_id = orphan.container_id limit 5000))
     returning container_id as "containerId"`,
  )
  const containers = [...new Set(gone.map(({ containerId }) => containerId))]
  await rows(db, 'delete from history_imports i where not exists (select from numbers n where n.id = i.container_id)')
  if (containers.length === 0) return 0
  await rows(db, 'delete from chats where container_id = any(:containers::uuid[])', { containers })
  await rows(db, 'delete from chat_changes where container_id = any(:containers::uuid[])', { containers })
  return gone.length
}
