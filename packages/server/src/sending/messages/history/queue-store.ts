import type { NumberStatus } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'

/** Why a queued message waits. */
export interface QueuePosition {
  readonly numberStatus: NumberStatus
  readonly isHeld: boolean
  /** The messages of its lane that leave before it, counted up to a limit. */
  readonly ahead: number
  /** The earliest time at which it can leave; null while the number cannot send or its campaign is paused. */
  readonly nextAttemptAt: Date | null
}

/**
 * Returns why a queued message waits, or undefined when it is not queued or has no number. A message of high priority
 * is preceded by such only, a text by both, and a campaign message by all of its lane.
 */
export async function findQueuePosition(
  db: Db,
  organizationId: string,
  messageId: string,
  countedAtMost: number,
): Promise<QueuePosition | undefined> {
  const [found] = await rows<QueuePosition>(
    db,
    `select n.status as number_status, n.queue_held_at is not null as is_held,
            (select count(*) from (
               (select from messages q
                 where q.container_id = m.container_id and q.status = 'queued' and q.priority = 'high' and q.id <> m.id
                   and (m.priority <> 'high' or (q.due_at, q.id) < (m.due_at, m.id)) limit :countedAtMost)
               union all
               (select from messages q
                 where m.priority <> 'high' and q.container_id = m.container_id and q.status = 'queued'
                   and q.priority <> 'high' and q.campaign_id is null
                   and (m.campaign_id is not null or (q.queue_at, q.id) < (m.queue_at, m.id)) limit :countedAtMost)
               union all
               (select from messages q
                 where m.campaign_id is not null and q.container_id = m.container_id and q.status = 'queued'
                   and q.campaign_id is not null and (q.queue_at, q.id) < (m.queue_at, m.id) limit :countedAtMost)
               limit :countedAtMost) waiting) as ahead,
            case when n.status = 'WORKING' and n.queue_held_at is null then nullif(greatest(
              (select service_now()), m.due_at,
              case when m.priority = 'high' then m.due_at
                   when m.campaign_id is null then nullif(l.next_send_at, 'infinity')
                   else nullif(l.next_campaign_send_at, 'infinity') end), 'infinity') end as next_attempt_at
       from messages m join numbers n on n.id = m.container_id
       left join lanes l on l.container_id = m.container_id
      where m.organization_id = :organizationId and m.id = :messageId and m.status = 'queued'`,
    { organizationId, messageId, countedAtMost },
  )
  return found
}
