import type { GuardRule, Message } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'

type Times = 'createdAt' | 'sentAt' | 'deliveredAt' | 'readAt'

/** A row of a message. */
export type MessageRow = Omit<Message, Times | 'held'> & {
  /** The guard rule that holds it until `dueAt`, while it is queued. */
  readonly guardRule: GuardRule | null
  /** Null while its campaign is paused. */
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly deliveredAt: Date | null
  readonly readAt: Date | null
}

/** A message with the other times that its timeline shows. */
export type MessageHistoryRow = MessageRow & {
  /** Whether it was a direct send. */
  readonly direct: boolean
  /** Since when it is held, because another phone was linked to its number. */
  readonly heldAt: Date | null
  /** When a guard rule held it first. */
  readonly guardHeldAt: Date | null
  /** The rule that held it last, also after it left. */
  readonly lastGuardRule: GuardRule | null
  readonly failedAt: Date | null
  readonly editedAt: Date | null
  readonly deletedAt: Date | null
  /** The attempts that did not send it, oldest first; null when there were none. */
  readonly attemptLog: readonly LoggedAttempt[] | null
}

/** An attempt that did not send its message. */
export interface LoggedAttempt {
  readonly at: string
  readonly error: string
  /** When the next attempt was due; null when a receipt was waited for. */
  readonly nextAt: string | null
}

/** The columns of {@link MessageRow}, from `messages m`. */
export const messageColumns = `
  m.id, m.type, m.recipient, m.content, m.status, m.priority, m.error, m.sent_at, m.delivered_at, m.created_at,
  m.gateway_message_id, m.container_id, m.client_reference, m.error_code, m.attempts, m.campaign_id, m.reminder_id,
  m.read_at,
  coalesce(m.sent_by, case when m.campaign_id is not null then 'campaign' when m.reminder_id is not null then 'reminder'
                           when m.bot_id is not null then 'assistant' end) as sent_by,
  case when m.status = 'queued' then m.guard_rule end as guard_rule,
  nullif(m.due_at, 'infinity') as due_at`

/** Returns one message of the organization with the times of its timeline; only of one number when that is given. */
export async function findMessage(
  db: Db,
  organizationId: string,
  id: string,
  containerId: string | null,
): Promise<MessageHistoryRow | undefined> {
  const [found] = await rows<MessageHistoryRow>(
    db,
    `select ${messageColumns}, m.direct, m.failed_at, m.edited_at, m.deleted_at, m.guard_held_at,
            m.guard_rule as last_guard_rule, m.attempt_log,
            (select n.queue_held_at from numbers n
              where n.id = m.container_id and m.status = 'queued' and m.created_at <= n.queue_held_at) as held_at
       from messages m
      where m.organization_id = :organizationId and m.id = :id
        and (:containerId::uuid is null or m.container_id = :containerId)`,
    { organizationId, id, containerId },
  )
  return found
}

/** One attempt of a webhook delivery for a message. */
export interface ReportedAttempt {
  readonly event: string
  readonly at: string
  readonly status: number | null
  readonly error: string | null
}

/** Returns every attempt to deliver an event of this message to the webhook. */
export async function listReportedAttempts(
  db: Db,
  organizationId: string,
  messageId: string,
): Promise<ReportedAttempt[]> {
  return rows<ReportedAttempt>(
    db,
    `select e.event, entry.at, entry.status, entry.error
       from events e join webhook_deliveries d on d.event_id = e.id
       cross join lateral jsonb_to_recordset(d.attempt_log) as entry(at text, status int, error text)
      where e.organization_id = :organizationId and e.message_id = :messageId
      order by entry.at`,
    { organizationId, messageId },
  )
}
