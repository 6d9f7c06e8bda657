import type { NumberStatus } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'
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

const isOfNumber = 'organization_id = :organizationId and container_id = :containerId'

/** Returns changes of a number's state, latest first. */
export async function listHistory(
  db: Db,
  organizationId: string,
  containerId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<HistoryRow[]> {
  return rows<HistoryRow>(
    db,
    `select at, from_status as "from", to_status as "to", reason, source from number_history
      where ${isOfNumber} order by id desc limit :limit offset :offset`,
    { organizationId, containerId, ...page },
  )
}

/** Returns how many changes of a number's state are kept. */
export async function countHistory(db: Db, organizationId: string, containerId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from number_history where ${isOfNumber}`,
    { organizationId, containerId },
  )
  return counted?.count ?? 0
}

/** Attributes the latest change of a locked number to the user who caused it, when the network reported it first. */
export async function creditUser(
  trx: Db,
  { id, organizationId }: Pick<NumberRow, 'id' | 'organizationId'>,
  change: { readonly to: NumberStatus; readonly reason: string; readonly since: Date },
): Promise<void> {
  await rows(
    trx,
    `update number_history set source = 'user'
      where id = (select id from number_history where ${isOfNumber} order by id desc limit 1)
        and to_status = :to and reason = :reason and source = 'network' and at > :since`,
    { organizationId, containerId: id, ...change },
  )
}

/** Deletes a batch of changes older than 90 days, of all organizations. Returns how many. */
export async function deleteExpiredHistory(db: Db): Promise<number> {
  const gone = await rows(
    db,
    `delete from number_history
      where id in (select id from number_history where at < (select service_now()) - interval '90 days'
                    order by at limit 1000)
     returning id`,
  )
  return gone.length
}
