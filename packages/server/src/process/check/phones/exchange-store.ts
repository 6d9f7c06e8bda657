import type { MessageStatus } from '@msgctl/contract'
import { type Db, firstRow } from '#platform/db/db.ts'

/** What became of a message that a number sends. Times count from its acceptance, in milliseconds. */
export interface SendState {
  readonly status: MessageStatus
  readonly error: string | null
  readonly errorCode: string | null
  /** Its id on the network, once the network has taken it. */
  readonly networkId: string | null
  /** The id that it has there as soon as it has left. */
  readonly chosenId: string
  /** Why the last attempt of the queue did not send it. */
  readonly attempt: string | null
  /** The guard rule that holds it in the queue. */
  readonly heldBy: string | null
  readonly sentMs: number | null
  readonly deliveredMs: number | null
}

/** Returns the state of a message, or undefined. */
export async function readSend(
  db: Db,
  { organizationId, messageId }: { readonly organizationId: string; readonly messageId: string },
): Promise<SendState | undefined> {
  return firstRow<SendState>(
    db,
    `select status, error, error_code, gateway_message_id as network_id,
            network_client_id as chosen_id, attempt_log -> -1 ->> 'error' as attempt, guard_rule as held_by,
            (extract(epoch from sent_at - created_at) * 1000)::float8 as sent_ms,
            (extract(epoch from coalesce(delivered_at, read_at) - created_at) * 1000)::float8 as delivered_ms
       from messages where organization_id = :organizationId and id = :messageId`,
    { organizationId, messageId },
  )
}

/** A message as the number that received it stores it. */
export interface ReceivedMessage {
  readonly id: string
  readonly type: string
  readonly text: string
  readonly isEdited: boolean
  readonly isRevoked: boolean
}

/** Returns a received message by its id on the network, or undefined. */
export async function readReceived(
  db: Db,
  { containerId, networkId }: { readonly containerId: string; readonly networkId: string },
): Promise<ReceivedMessage | undefined> {
  return firstRow<ReceivedMessage>(
    db,
    `select id, type, text, edited_at is not null as is_edited, revoked_at is not null as is_revoked
       from chat_messages where container_id = :containerId and network_id = :networkId and direction = 'in'`,
    { containerId, networkId },
  )
}
