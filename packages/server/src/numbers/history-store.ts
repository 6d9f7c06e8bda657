import type { NumberStatus } from '@msgctl/contract'
import { countRows, type Db, rows, serviceNow } from '#platform/db/db.ts'
import type { StateSource } from './connection/state-rules.ts'
import type { NumberRow } from './records/store.ts'

/** One change of a number's state. */
export interface HistoryRow {
  readonly at: Date
  readonly from: NumberStatus | null
  readonly to: NumberStatus
  readonly reason: string | null
  readonly source: StateSource
}

const dayMs = 24 * 60 * 60 * 1000

/** Returns changes of a number's state, latest first. */
export async function listHistory(
  db: Db,
  organizationId: string,
  containerId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<HistoryRow[]> {
  return db('number_history')
    .select<HistoryRow[]>({ at: 'at', from: 'from_status', to: 'to_status', reason: 'reason', source: 'source' })
    .where({ organizationId, containerId })
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
}

/** Returns how many changes of a number's state are kept. */
export async function countHistory(db: Db, organizationId: string, containerId: string): Promise<number> {
  return countRows(db('number_history').where({ organizationId, containerId }))
}

/**
 * Returns how many links of a number failed within 24 hours and since it last worked: no phone scanned the QR, or the
 * phone refused it, which looks the same. Its last 500 changes are read.
 */
export async function countFailedLinks(db: Db, organizationId: string, containerId: string): Promise<number> {
  const [found] = await rows<{ failed: number }>(
    db,
    `with latest as (
       select at, to_status, reason from number_history
        where organization_id = :organizationId and container_id = :containerId order by id desc limit 500
     )
     select count(*)::int as failed from latest
      where to_status = 'FAILED' and reason = 'qr_expired' and at > (select service_now()) - interval '24 hours'
        and at > coalesce((select max(at) from latest where to_status = 'WORKING'), '-infinity')`,
    { organizationId, containerId },
  )
  return found?.failed ?? 0
}

/** Attributes the latest change of a locked number to the user who caused it, when the network reported it first. */
export async function creditUser(
  trx: Db,
  { id, organizationId }: Pick<NumberRow, 'id' | 'organizationId'>,
  change: { readonly to: NumberStatus; readonly reason: string; readonly since: Date },
): Promise<void> {
  const latest = trx('number_history')
    .select('id')
    .where({ organizationId, containerId: id })
    .orderBy('id', 'desc')
    .limit(1)
  await trx('number_history')
    .where('id', latest)
    .where({ toStatus: change.to, reason: change.reason, source: 'network' })
    .where('at', '>', change.since)
    .update({ source: 'user' })
}

/** Deletes a batch of changes older than 90 days, of all organizations. Returns how many. */
export async function deleteExpiredHistory(db: Db): Promise<number> {
  const expired = db('number_history')
    .select('id')
    .where('at', '<', serviceNow(db, -90 * dayMs))
    .orderBy('at')
    .limit(1000)
  return db('number_history').whereIn('id', expired).delete()
}
