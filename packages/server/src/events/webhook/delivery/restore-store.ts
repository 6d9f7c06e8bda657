import { type Db, rows } from '#platform/db/db.ts'

/**
 * Drops every pending delivery, of all organizations. They can be delivered again one by one. Returns how many there
 * were.
 */
export async function dropPending(trx: Db): Promise<number> {
  const dropped = await rows(
    trx,
    `update webhook_deliveries
        set status = 'dropped', finished_at = (select service_now()), lease_token = null, lease_until = null,
            last_error = :lastError
      where status = 'pending' returning id`,
    { lastError: 'The database was restored from a backup. This delivery was pending in it and may have arrived.' },
  )
  return dropped.length
}
