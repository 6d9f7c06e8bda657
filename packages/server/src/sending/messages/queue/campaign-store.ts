import { type MessageErrorCode, messageErrorCodes } from '@msgctl/contract'
import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A message of a campaign that fails before it is queued. */
export interface RejectedMessage {
  readonly id: string
  readonly containerId: string
  readonly recipient: string
  readonly content: string
  readonly networkClientId: string
  readonly code: MessageErrorCode
}

/** Stores messages that failed before they could be queued; returns the subjects of their events. */
export async function insertRejected(
  trx: Db,
  organizationId: string,
  campaignId: string,
  messages: readonly RejectedMessage[],
): Promise<EventSubject[]> {
  if (messages.length === 0) return []
  return rows<EventSubject>(
    trx,
    `with m as (
       insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             campaign_id, network_client_id, error, error_code, due_at, queue_at, created_at, failed_at,
                             client_reference)
       select f.id, :organizationId, f.container_id, 'bulk', 'text', f.recipient, f.content, 'normal', 'failed',
              :campaignId, f.network_client_id, f.error, f.code, t.now, t.now, t.now, t.now,
              (select c.client_reference from campaigns c where c.id = :campaignId)
         from unnest(:ids::uuid[], :containerIds::uuid[], :recipients::text[], :contents::text[],
                     :networkClientIds::text[], :errors::text[], :codes::text[])
                as f(id, container_id, recipient, content, network_client_id, error, code)
        cross join (select service_now() as now) t
       returning *
     )
     select ${eventSubjectColumns} from m left join numbers n on n.id = m.container_id`,
    {
      organizationId,
      campaignId,
      ids: messages.map(({ id }) => id),
      containerIds: messages.map(({ containerId }) => containerId),
      recipients: messages.map(({ recipient }) => recipient),
      contents: messages.map(({ content }) => content),
      networkClientIds: messages.map(({ networkClientId }) => networkClientId),
      errors: messages.map(({ code }) => messageErrorCodes[code]),
      codes: messages.map(({ code }) => code),
    },
  )
}

/**
 * Deletes the messages of a campaign that no send was started for, those that a worker has claimed included; returns
 * their count. A message that the network may already have is kept, and waits until the campaign resumes. One that is
 * locked by a receipt or a claim is skipped: the receipt settles it, and the worker gives it back.
 */
export async function removeUnsent(trx: Db, organizationId: string, campaignId: string): Promise<number> {
  await rows(
    trx,
    `with outcome_unknown as materialized (
       select id from messages
        where organization_id = :organizationId and campaign_id = :campaignId and status = 'queued'
          and outcome_unknown_since is not null for update skip locked
     )
     update messages set due_at = 'infinity' where id = any(array(select id from outcome_unknown))`,
    { organizationId, campaignId },
  )
  const [removed] = await rows<{ count: number }>(
    trx,
    `with removed as (
       delete from messages
        where organization_id = :organizationId and campaign_id = :campaignId and outcome_unknown_since is null
          and (status = 'queued'
               or status = 'sending' and lease_token is not null and send_started_token is distinct from lease_token)
       returning 1
     )
     select count(*) as count from removed`,
    { organizationId, campaignId },
  )
  return removed?.count ?? 0
}

/** Makes messages due again that waited for their campaign to resume, and their lanes with them. */
export async function releaseWaiting(trx: Db, organizationId: string, campaignId: string): Promise<void> {
  await rows(
    trx,
    `with released as (
       update messages set due_at = (select service_now())
        where organization_id = :organizationId and campaign_id = :campaignId and status = 'queued'
          and due_at = 'infinity'
       returning container_id
     ), lane as (
       select container_id from lanes where container_id in (select container_id from released) order by 1 for update
     )
     update lanes set next_claim_at = least(next_claim_at, (select service_now()))
       from lane where lanes.container_id = lane.container_id`,
    { organizationId, campaignId },
  )
  afterCommit(trx, 'lanes')
}

/** Fails messages of cancelled campaigns that stayed queued because the network may already have them. */
export async function failUnknownOutcomes(trx: Db, limit: number): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with picked as (
       select m.id from messages m join campaigns c on c.id = m.campaign_id
        where c.status = 'cancelled' and m.status = 'queued' limit :limit for update of m skip locked
     ), failed as (
       update messages t
          set status = 'failed', error_code = 'UPSTREAM_TIMEOUT', failed_at = (select service_now()), error = :error
         from picked where t.id = picked.id
       returning t.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { limit, error: messageErrorCodes.UPSTREAM_TIMEOUT },
  )
}

/** Deletes all messages of a campaign. */
export async function deleteCampaignMessages(trx: Db, organizationId: string, campaignId: string): Promise<void> {
  await trx('messages').where({ organizationId, campaignId }).delete()
}
