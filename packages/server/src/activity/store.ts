import { type Db, rows } from '../db/db.ts'

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
  await rows(
    trx,
    `insert into activity_log (organization_id, at, actor_kind, actor_id, action, subject, details)
     values (:organizationId, service_now(), :actorKind, :actorId, :action, :subject, :details::jsonb)`,
    { ...row, organizationId },
  )
}
