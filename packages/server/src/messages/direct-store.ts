import type { MessageErrorCode, MessageStatus, MessageType } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'
import { type EventSubject, eventSubjectColumns } from '../events/message-event.ts'
import type { Json } from '../gateway/gateway.ts'

/** A direct send as it is stored before the network is called. */
export interface DirectRow {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  readonly type: MessageType
  readonly kind: string
  readonly recipient: string
  readonly content: string
  readonly pinned: boolean
  readonly clientReference: string | null
  readonly networkClientId: string
  readonly leaseToken: string
}

/**
 * Stores a direct send as `sending`, held for `leaseMs` by the request that makes it. Answers false, and stores nothing,
 * when its number was removed meanwhile.
 */
export async function insertDirect(trx: Db, row: DirectRow, leaseMs: number): Promise<boolean> {
  const stored = await rows(
    trx,
    `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status, attempts,
                           direct, pinned, client_reference, network_client_id, due_at, queue_at, created_at,
                           lease_token, lease_until)
     select :id, n.organization_id, n.id, :type, :kind, :recipient, :content, 'high', 'sending', 1,
            true, :pinned, :clientReference, :networkClientId, t.now, t.now, t.now,
            :leaseToken, t.now + :leaseMs * interval '1 millisecond'
       from numbers n cross join (select service_now() as now) t
      where n.organization_id = :organizationId and n.id = :containerId
     returning id`,
    { ...row, leaseMs },
  )
  return stored.length > 0
}

/** The clocks of this process and of the database differ a little; nothing happens to a message before it is there. */
function notBeforeIt(at: string): string {
  return `greatest(created_at, ${at}::timestamptz)`
}

/** Which message is meant, whose it is. */
export interface DirectId {
  readonly organizationId: string
  readonly messageId: string
}

/**
 * Writes that the network took it. A receipt that came before has raised the status already, or the time for an answer
 * was over; then only the network's id and the time are filled in.
 */
export async function writeDirectSent(
  db: Db,
  { organizationId, messageId }: DirectId,
  sent: { readonly networkId: string; readonly raw: Json; readonly at: Date },
): Promise<void> {
  await rows(
    db,
    `update messages
        set status = case when status = 'sending' then 'sent' else status end,
            gateway_message_id = :networkId, network_ref = :raw::jsonb, sent_at = ${notBeforeIt('least(:at::timestamptz, delivered_at, read_at)')},
            lease_token = null, lease_until = null, outcome_unknown_since = null
      where organization_id = :organizationId and id = :messageId`,
    { organizationId, messageId, networkId: sent.networkId, raw: JSON.stringify(sent.raw), at: sent.at },
  )
}

/** The error that the caller of a direct send was answered, kept for those who repeat the request. */
export interface CallerTold {
  readonly code: string
  readonly details: unknown
}

/** Leaves it in `sending` until a receipt tells, or `until`. */
export async function writeDirectUnknown(
  db: Db,
  { organizationId, messageId }: DirectId,
  unknown: { readonly since: Date; readonly until: Date; readonly told: CallerTold },
): Promise<void> {
  await rows(
    db,
    `update messages
        set outcome_unknown_since = :since, lease_until = :until, lease_token = null, caller_told = :told::jsonb
      where organization_id = :organizationId and id = :messageId and status = 'sending'`,
    { organizationId, messageId, ...unknown, told: JSON.stringify(unknown.told) },
  )
}

/** Fails it for good. Answers what its event has to tell, or nothing when it is not `sending` any more. */
export async function writeDirectFailed(
  trx: Db,
  { organizationId, messageId }: DirectId,
  failed: {
    readonly code: MessageErrorCode
    readonly error: string
    readonly at: Date
    readonly told: CallerTold
  },
): Promise<EventSubject | undefined> {
  const [subject] = await rows<EventSubject>(
    trx,
    `with failed as (
       update messages
          set status = 'failed', error = :error, error_code = :code, failed_at = ${notBeforeIt(':at')}, caller_told = :told::jsonb,
              lease_token = null, lease_until = null
        where organization_id = :organizationId and id = :messageId and status = 'sending'
       returning *
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { organizationId, messageId, ...failed, told: JSON.stringify(failed.told) },
  )
  return subject
}

/** What is known of a direct send that was begun. */
export interface BegunDirect {
  readonly status: MessageStatus
  readonly containerId: string
  readonly gatewayMessageId: string | null
  readonly error: string | null
  readonly errorCode: MessageErrorCode | null
  readonly callerTold: CallerTold | null
}

/** What became of a direct send. */
export async function findDirect(db: Db, { organizationId, messageId }: DirectId): Promise<BegunDirect | undefined> {
  const [found] = await rows<BegunDirect>(
    db,
    `select status, container_id as "containerId", gateway_message_id as "gatewayMessageId", error,
            error_code as "errorCode", caller_told as "callerTold"
       from messages where organization_id = :organizationId and id = :messageId and direct`,
    { organizationId, messageId },
  )
  return found
}
