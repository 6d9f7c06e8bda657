import { type Db, rows } from '#platform/db/db.ts'
import { purging } from '#platform/db/session.ts'
import { firstIdAt } from '#platform/db/time-ids.ts'

/**
 * Deletes up to `limit` messages that are older than `days` and settled, the oldest first, of all organizations. Counts
 * of messages and campaigns stay. The messages of a campaign that can be resumed stay too: they say whom it has
 * reached. Returns how many there were.
 */
export async function deleteOldMessages(db: Db, days: number, limit = 5000): Promise<number> {
  return db.transaction(async (trx) => {
    await rows(trx, purging)
    const deleted = await rows(
      trx,
      `delete from messages where id = any(array(
         select m.id from messages m
          where m.id < ${firstIdAt(`(select service_now()) - :days::int * interval '1 day'`)}
            and m.created_at < (select service_now()) - :days::int * interval '1 day'
            and m.status not in ('queued', 'sending')
            and not exists (select from campaigns c where c.id = m.campaign_id and c.status in ('sending', 'paused'))
          order by m.id limit :limit))
       returning 1 as deleted`,
      { days, limit },
    )
    return deleted.length
  })
}
