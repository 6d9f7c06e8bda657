import { type Db, preparedRows, rows, serviceNow } from '#platform/db/db.ts'
import { lazily } from '#platform/db/lazily.ts'
import type { Row } from '#platform/db/tables.ts'

/** A call of a tool, as it is kept for people to see. */
export interface CallRow extends Omit<Row<'mcp_calls'>, 'id' | 'at' | 'outcome'> {
  readonly outcome: 'ok' | 'waiting' | 'failed'
  /** Masked. */
  readonly phone: string | null
}

/**
 * Stores a call, without waiting for the disk. What the call did waits by itself. Pass the pool, see {@link lazily}.
 */
export async function insertCall(db: Db, call: CallRow): Promise<void> {
  await preparedRows(
    db,
    `insert into mcp_calls (organization_id, connection_id, credential, tool, at, outcome, code, ms, phone)
     select :organizationId::uuid, :connectionId::uuid, :credential, :tool, (select service_now()), :outcome, :code,
            :ms::int,
            :phone
       from ${lazily}`,
    { ...call },
  )
}

/** Which calls. Null filters nothing. */
export interface CallFilter {
  readonly tool: string | null
  readonly connection: string | null
  /** Only calls before the one with this id. */
  readonly before: string | null
  readonly limit: number
}

/** A call as it is listed. */
export interface ListedCall extends Omit<CallRow, 'organizationId'> {
  readonly id: number
  readonly at: Date
  readonly clientName: string | null
}

/** Returns calls of an organization, the latest first. */
export async function listCalls(db: Db, organizationId: string, filter: CallFilter): Promise<ListedCall[]> {
  return rows<ListedCall>(
    db,
    `select c.id, c.at, c.connection_id, c.credential, n.client_name, c.tool, c.outcome, c.code, c.ms, c.phone
       from mcp_calls c left join mcp_connections n on n.organization_id = :organizationId and n.id = c.connection_id
      where c.organization_id = :organizationId
        and (:before::bigint is null or c.id < :before::bigint)
        and (:tool::text is null or c.tool = :tool)
        and (:connection::uuid is null or c.connection_id = :connection::uuid)
      order by c.id desc limit :limit`,
    { organizationId, ...filter },
  )
}

/** Deletes up to `limit` calls that are older than `days`. Returns how many there were. */
export async function deleteExpiredCalls(db: Db, days: number, limit = 5000): Promise<number> {
  const expired = db('mcp_calls')
    .select('id')
    .where('at', '<', serviceNow(db, -days * 24 * 60 * 60 * 1000))
    .limit(limit)
  return db('mcp_calls').whereIn('id', expired).delete()
}
