import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A row of the activity log; `details` is JSON text. */
export interface ActivityRow extends Omit<Row<'activity_log'>, 'id' | 'organizationId' | 'at' | 'details'> {
  readonly details: string
}

/** Adds one row; the log is append-only. */
export async function insertActivity(trx: Db, organizationId: string, row: ActivityRow): Promise<void> {
  await trx('activity_log').insert({
    organizationId,
    at: serviceNow(trx),
    actorKind: row.actorKind,
    actorId: row.actorId,
    action: row.action,
    subject: row.subject,
    details: row.details,
    ip: row.ip,
    requestId: row.requestId,
    userAgent: row.userAgent,
  })
}

/** Adds one row to the log of each organization of a person. */
export async function insertActivityOfPerson(trx: Db, userId: string, row: ActivityRow): Promise<void> {
  await rows(
    trx,
    `insert into activity_log (organization_id, at, actor_kind, actor_id, action, subject, details, ip, request_id,
       user_agent)
     select organization_id, (select service_now()), :actorKind, :actorId, :action, :subject, :details::jsonb, :ip,
            :requestId,
            :userAgent
       from members where user_id = :userId`,
    { userId, ...row },
  )
}
