import { type Db, rows } from '#platform/db/db.ts'

/**
 * Deletes connections of AI clients, of all organizations, that ended more than `days` ago, or whose last token has
 * expired since then. Returns how many.
 */
export async function deleteEndedConnections(db: Db, days: number, limit = 1000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from mcp_connections where id = any(array(
       select c.id from mcp_connections c
        where coalesce(c.revoked_at, c.last_used_at, c.created_at) < (select service_now()) - :days::int * interval
          '1 day'
          and (c.revoked_at is not null or not exists (select from oauth_tokens t where t.connection_id = c.id))
        limit :limit)) returning id`,
    { days, limit },
  )
  return deleted.length
}
