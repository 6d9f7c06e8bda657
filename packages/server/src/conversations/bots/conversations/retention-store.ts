import { type Db, rows } from '#platform/db/db.ts'

/**
 * Deletes conversations of all organizations that ended more than `days` ago, with their turns and their questions for
 * people. Returns how many.
 */
export async function deleteEndedConversations(db: Db, days: number, limit = 1000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from bot_conversations where id = any(array(
       select id from bot_conversations where closed_at < (select service_now()) - :days::int * interval '1 day'
        order by closed_at limit :limit)) returning id`,
    { days, limit },
  )
  return deleted.length
}
