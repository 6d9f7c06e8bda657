import { type Db, rows } from '#platform/db/db.ts'

/**
 * Makes the supervisor connect the running numbers of an organization whose networks have stopped them for a move.
 * Those that a person stopped, and those that failed, stay as they are.
 */
export async function reconnectMoved(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `update numbers set status = 'STARTING', status_reason = null, status_since = now, status_at = now,
            missed_probes = 0, next_check_at = now
       from (select service_now() as now) t
      where organization_id = :organizationId and desired_state = 'running'
        and status in ('WORKING', 'STARTING', 'SCAN_QR_CODE', 'UNREACHABLE')`,
    { organizationId },
  )
}
