import { type Db, rows } from '#platform/db/db.ts'

/** Completes campaigns that have nothing left to send: the given one, or those of all tenants. Returns how many. */
export async function completeFinished(trx: Db, only: string | null): Promise<number> {
  const done = await rows(
    trx,
    `update campaigns c set status = 'completed', completed_at = (select service_now())
      where c.status = 'sending' and (:only::uuid is null or c.id = :only)
        and not exists (select from messages m where m.campaign_id = c.id and m.status in ('queued', 'sending'))
     returning c.id`,
    { only },
  )
  return done.length
}
