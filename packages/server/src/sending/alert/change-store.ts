import type { MessageStatus, MessageType, NumberStatus } from '@msgctl/contract'
import type { Content, Json } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A message with all that a change of it depends on. */
export interface ChangeableMessage
  extends Pick<
    Row<'messages'>,
    'id' | 'recipient' | 'content' | 'containerId' | 'gatewayMessageId' | 'sentAt' | 'createdAt' | 'deletedAt'
  > {
  readonly type: MessageType
  readonly kind: Content['kind']
  readonly status: MessageStatus
  /** The network's own address of the recipient, from its last check. */
  readonly address: string | null
  /** The status of its number; null when the number was removed. */
  readonly numberStatus: NumberStatus | null
  readonly networkRef: Json
}

/** Returns one message of the organization. */
export async function findChangeable(
  db: Db,
  organizationId: string,
  messageId: string,
): Promise<ChangeableMessage | undefined> {
  const [found] = await rows<ChangeableMessage>(
    db,
    `select m.id, m.type, m.kind, m.status, m.recipient, m.content, m.container_id, k.chat_id as address,
            n.status as number_status, m.gateway_message_id, m.network_ref, m.sent_at, m.created_at, m.deleted_at
       from messages m
       left join numbers n on n.organization_id = m.organization_id and n.id = m.container_id
       left join recipient_checks k on k.organization_id = m.organization_id and k.digits = m.recipient and k.on_network
      where m.organization_id = :organizationId and m.id = :messageId`,
    { organizationId, messageId },
  )
  return found
}
