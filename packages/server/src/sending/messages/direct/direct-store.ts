import type { MessageErrorCode, MessageStatus, MessageType } from '@msgctl/contract'
import type { Json } from '@msgctl/network/gateway'
import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { boundedPause } from '#sending/messages/queue/lane-gate.ts'
import type { Requester } from '#sending/messages/requester.ts'

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
  readonly sentBy: Requester
  readonly networkClientId: string
  readonly leaseToken: string
}

/** When the lease ends, the process that made the call is gone. */
const leaseMs = 60_000

/**
 * Stores direct sends as `sending`, each leased for a minute by its request. Returns the ids of the stored ones: a
 * message whose number was removed since is not stored.
 */
export async function insertDirects(trx: Db, sends: readonly DirectRow[]): Promise<Set<string>> {
  if (sends.length === 0) return new Set()
  const stored = await rows<{ id: string }>(
    trx,
    `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             attempts,
                           direct, pinned, client_reference, sent_by, network_client_id, due_at, queue_at, created_at,
                           lease_token, lease_until)
     select s.id, n.organization_id, n.id, s.type, s.kind, s.recipient, s.content, 'high', 'sending', 1,
            true, s.pinned, s.client_reference, s.sent_by, s.network_client_id, t.now, t.now, t.now,
            s.lease_token, t.now + :leaseMs * interval '1 millisecond'
       from unnest(:ids::uuid[], :organizationIds::uuid[], :containerIds::uuid[], :types::text[], :kinds::text[],
                   :recipients::text[], :contents::text[], :pins::boolean[], :references::text[],
                   :senders::text[], :networkClientIds::text[], :leaseTokens::uuid[])
         as s (id, organization_id, container_id, type, kind, recipient, content, pinned, client_reference, sent_by,
               network_client_id, lease_token)
       join numbers n on n.organization_id = s.organization_id and n.id = s.container_id
       cross join (select service_now() as now) t
     returning id`,
    {
      leaseMs,
      ids: sends.map((one) => one.id),
      organizationIds: sends.map((one) => one.organizationId),
      containerIds: sends.map((one) => one.containerId),
      types: sends.map((one) => one.type),
      kinds: sends.map((one) => one.kind),
      recipients: sends.map((one) => one.recipient),
      contents: sends.map((one) => one.content),
      pins: sends.map((one) => one.pinned),
      references: sends.map((one) => one.clientReference),
      senders: sends.map((one) => one.sentBy),
      networkClientIds: sends.map((one) => one.networkClientId),
      leaseTokens: sends.map((one) => one.leaseToken),
    },
  )
  return new Set(stored.map(({ id }) => id))
}

/**
 * Returns SQL of a time that is not before the acceptance of the message: the clocks of this process and of the
 * database differ a little.
 */
function notBeforeCreation(at: string): string {
  return `greatest(created_at, ${at}::timestamptz)`
}

/** A message and its organization. */
export interface DirectId {
  readonly organizationId: string
  readonly messageId: string
}

/** A direct send that the network took. */
export interface DirectSent extends DirectId {
  readonly networkId: string
  readonly raw: Json
  readonly at: Date
  /** Whether the network itself acknowledged it, and not the driver alone. */
  readonly acknowledged: boolean
}

/**
 * Writes that the network took the messages. Where an earlier receipt has raised the status, or the wait for an outcome
 * has ended, only the id on the network and the time are filled in.
 */
export async function writeDirectsSent(db: Db, sent: readonly DirectSent[]): Promise<void> {
  await rows(
    db,
    `update messages
        set status = case when status = 'sending' then 'sent' else status end,
            gateway_message_id = s.network_id, network_ref = s.raw,
            sent_at = ${notBeforeCreation('least(s.at, delivered_at, read_at)')},
            lease_token = null, lease_until = null, outcome_unknown_since = null,
            unacknowledged_since = case when s.acknowledged or status <> 'sending' then null else s.at end
       from unnest(:organizationIds::uuid[], :messageIds::uuid[], :networkIds::text[], :raws::jsonb[],
           :ats::timestamptz[],
                   :acknowledged::boolean[])
         as s (organization_id, message_id, network_id, raw, at, acknowledged)
      where messages.organization_id = s.organization_id and messages.id = s.message_id`,
    {
      organizationIds: sent.map((one) => one.organizationId),
      messageIds: sent.map((one) => one.messageId),
      networkIds: sent.map((one) => one.networkId),
      raws: sent.map((one) => JSON.stringify(one.raw)),
      ats: sent.map((one) => one.at),
      acknowledged: sent.map((one) => one.acknowledged),
    },
  )
}

/** The error that the caller of a direct send received, kept for repeats of the request. */
export interface CallerError {
  readonly code: string
  readonly message: string
  readonly details: unknown
}

/** Leaves the message in `sending` until a receipt comes, or `until`. */
export async function writeDirectUnknown(
  db: Db,
  { organizationId, messageId }: DirectId,
  unknown: { readonly since: Date; readonly until: Date; readonly callerError: CallerError },
): Promise<void> {
  await db('messages')
    .where({ organizationId, id: messageId, status: 'sending' })
    .update({
      outcomeUnknownSince: unknown.since,
      leaseUntil: unknown.until,
      leaseToken: null,
      callerError: JSON.stringify(unknown.callerError),
    })
}

/** Fails the message for good. Returns the subject of its event, or undefined when it is not `sending` any more. */
export async function writeDirectFailed(
  trx: Db,
  { organizationId, messageId }: DirectId,
  failed: {
    readonly code: MessageErrorCode
    readonly error: string
    readonly at: Date
    readonly callerError: CallerError
  },
): Promise<EventSubject | undefined> {
  const [subject] = await rows<EventSubject>(
    trx,
    `with failed as (
       update messages
          set status = 'failed', error = :error, error_code = :code, failed_at = ${notBeforeCreation(':at')},
              caller_error = :callerError::jsonb,
              lease_token = null, lease_until = null
        where organization_id = :organizationId and id = :messageId and status = 'sending'
       returning *
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { organizationId, messageId, ...failed, callerError: JSON.stringify(failed.callerError) },
  )
  return subject
}

/** The stored state of a direct send. */
export interface StartedDirect {
  readonly status: MessageStatus
  readonly containerId: string
  readonly gatewayMessageId: string | null
  readonly error: string | null
  readonly errorCode: MessageErrorCode | null
  readonly callerError: CallerError | null
}

/** Returns the state of a direct send. */
export async function findDirect(db: Db, { organizationId, messageId }: DirectId): Promise<StartedDirect | undefined> {
  const [found] = await rows<StartedDirect>(
    db,
    `select status, container_id, gateway_message_id, error, error_code, caller_error
       from messages where organization_id = :organizationId and id = :messageId and direct`,
    { organizationId, messageId },
  )
  return found
}

/** Pauses messages of normal and low priority of a number until `until`: the network limits its account. */
export async function pauseLane(db: Db, organizationId: string, containerId: string, until: Date): Promise<void> {
  await rows(
    db,
    `update lanes set next_send_at = greatest(next_send_at, ${boundedPause(':until::timestamptz')}),
            next_campaign_send_at = greatest(next_campaign_send_at, ${boundedPause(':until::timestamptz')})
      where organization_id = :organizationId and container_id = :containerId`,
    { organizationId, containerId, until },
  )
}
