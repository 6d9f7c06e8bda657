import { type Db, serviceNow } from '../db/db.ts'

/** A row of the activity log; `details` is JSON text. */
export interface ActivityRow {
  readonly actorKind: string
  readonly actorId: string | null
  readonly action: string
  readonly subject: string | null
  readonly details: string
}

/** Adds one row; the log is append-only. */
export async function insertActivity(trx: Db, organizationId: string, row: ActivityRow): Promise<void> {
  await trx('activity_log').insert({
    organization_id: organizationId,
    at: serviceNow(trx),
    actor_kind: row.actorKind,
    actor_id: row.actorId,
    action: row.action,
    subject: row.subject,
    details: row.details,
  })
}
