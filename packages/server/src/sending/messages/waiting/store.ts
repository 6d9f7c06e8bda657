import type { MessageStatus, NumberStatus, Priority } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'
import { standingGate } from '#sending/messages/queue/lane-gate.ts'

/** A number whose queue is shown, with the gates that its messages wait behind. */
export interface WaitingLane {
  readonly containerId: string
  readonly status: NumberStatus
  readonly isHeld: boolean
  /** Until when the network limits what its account may send. */
  readonly restrictedUntil: Date | null
  readonly nextSendAt: Date
  readonly nextCampaignSendAt: Date
  readonly organizationNextSendAt: Date
}

/** A message that has not left. */
export interface WaitingMessage {
  readonly id: string
  readonly containerId: string
  readonly recipient: string
  readonly content: string
  /** Characters of the whole text. */
  readonly length: number
  readonly priority: Priority
  readonly campaignId: string | null
  readonly status: Extract<MessageStatus, 'queued' | 'sending'>
  /** Null for a message that waits for its campaign to resume. */
  readonly dueAt: Date | null
}

/** Returns the numbers of an organization, or one of them, oldest first. */
export async function listLanes(db: Db, organizationId: string, containerId: string | null): Promise<WaitingLane[]> {
  return rows<WaitingLane>(
    db,
    `select n.id as container_id, n.status, n.queue_held_at is not null as is_held, n.restricted_until,
            ${standingGate("coalesce(l.next_send_at, 'epoch')")} as next_send_at,
            ${standingGate("coalesce(l.next_campaign_send_at, 'epoch')")} as next_campaign_send_at,
            ${standingGate("coalesce(p.next_send_at, 'epoch')")} as organization_next_send_at
       from numbers n
       left join lanes l on l.container_id = n.id
       left join campaign_pacing p on p.organization_id = n.organization_id
      where n.organization_id = :organizationId and (:containerId::uuid is null or n.id = :containerId)
      order by n.created_at, n.id`,
    { organizationId, containerId },
  )
}

/** The characters of a text that a list shows. */
const shownCharacters = 200

/**
 * Returns the first `limit` messages of each of the queues of these numbers, each queue in its order: those that a
 * worker has claimed, high ones, other texts, and those of campaigns.
 */
export async function listWaiting(
  db: Db,
  organizationId: string,
  containerIds: readonly string[],
  limit: number,
): Promise<WaitingMessage[]> {
  const first = (condition: string, order: string) =>
    `(select m.* from messages m where m.container_id = lane.id and ${condition} order by ${order} limit :limit)`
  return rows<WaitingMessage>(
    db,
    `select q.id, q.container_id, q.recipient, left(q.content, ${shownCharacters}) as content,
            length(q.content) as length, q.priority, q.campaign_id, q.status,
            nullif(q.due_at, 'infinity') as due_at
       from unnest(:containerIds::uuid[]) with ordinality as lane(id, position) cross join lateral (
         ${first("m.status = 'sending' and m.lease_token is not null", 'm.queue_at, m.id')}
         union all
         ${first("m.status = 'queued' and m.priority = 'high'", 'm.due_at, m.id')}
         union all
         ${first("m.status = 'queued' and m.priority <> 'high' and m.campaign_id is null", 'm.queue_at, m.id')}
         union all
         ${first("m.status = 'queued' and m.campaign_id is not null", 'm.queue_at, m.id')}) q
      where q.organization_id = :organizationId
      order by lane.position, q.status desc, q.priority <> 'high', q.campaign_id is not null, q.queue_at, q.id`,
    { organizationId, containerIds, limit },
  )
}
