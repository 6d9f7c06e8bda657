import type { MessageStatus, MessageType, NumberStatus } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'
import { type EventSubject, eventSubjectColumns } from '../events/message-event.ts'
import type { Content, Json } from '../gateway/gateway.ts'

/** A message as whoever wants to change it must know it. */
export interface ChangeableMessage {
  readonly id: string
  readonly type: MessageType
  readonly kind: Content['kind']
  readonly status: MessageStatus
  readonly recipient: string
  readonly content: string
  readonly containerId: string | null
  /** The status of its number; null when that was removed. */
  readonly numberStatus: NumberStatus | null
  readonly gatewayMessageId: string | null
  readonly networkRef: Json
  readonly sentAt: Date | null
  readonly createdAt: Date
  readonly deletedAt: Date | null
}

/** One message of the organization. */
export async function findChangeable(
  db: Db,
  organizationId: string,
  messageId: string,
): Promise<ChangeableMessage | undefined> {
  const [found] = await rows<ChangeableMessage>(
    db,
    `select m.id, m.type, m.kind, m.status, m.recipient, m.content, m.container_id as "containerId",
            n.status as "numberStatus", m.gateway_message_id as "gatewayMessageId", m.network_ref as "networkRef",
            m.sent_at as "sentAt", m.created_at as "createdAt", m.deleted_at as "deletedAt"
       from messages m
       left join numbers n on n.organization_id = m.organization_id and n.id = m.container_id
      where m.organization_id = :organizationId and m.id = :messageId`,
    { organizationId, messageId },
  )
  return found
}

/** Writes the words that a message has on the network now. */
export async function writeEdited(
  db: Db,
  organizationId: string,
  messageId: string,
  edited: { readonly content: string; readonly at: Date },
): Promise<void> {
  await rows(
    db,
    `update messages set content = :content, edited_at = :at
      where organization_id = :organizationId and id = :messageId`,
    { organizationId, messageId, ...edited },
  )
}

/** Writes that a message was taken off the phone; of two who do it the first one's time stands. Answers that time. */
export async function writeDeleted(db: Db, organizationId: string, messageId: string, at: Date): Promise<Date> {
  const [written] = await rows<{ deletedAt: Date }>(
    db,
    `update messages set deleted_at = coalesce(deleted_at, :at)
      where organization_id = :organizationId and id = :messageId returning deleted_at as "deletedAt"`,
    { organizationId, messageId, at },
  )
  return written?.deletedAt ?? at
}

/**
 * Fails a message that waits in the queue, and answers what its event has to tell. Nothing happens once somebody has
 * taken it to send it, nor when an earlier try may have gone out: of the two who want the row the first one has it.
 */
export async function cancelQueued(
  trx: Db,
  organizationId: string,
  messageId: string,
  cancelled: { readonly error: string; readonly at: Date },
): Promise<EventSubject | undefined> {
  const [subject] = await rows<EventSubject>(
    trx,
    `with cancelled as (
       update messages set status = 'failed', error = :error, error_code = 'CANCELLED', failed_at = :at
        where organization_id = :organizationId and id = :messageId and status = 'queued'
          and outcome_unknown_since is null
       returning *
     )
     select ${eventSubjectColumns} from cancelled m left join numbers n on n.id = m.container_id`,
    { organizationId, messageId, ...cancelled },
  )
  return subject
}
