import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A queued message that may move to another number. */
export interface MovableMessage {
  readonly id: string
  readonly containerId: string
  readonly recipient: string
}

/**
 * Locks the messages that are queued on these numbers and may leave through another one, in the order of the queue. A
 * message that the network may already have from its number stays there: from another number it would be a second
 * message.
 */
export async function lockMovable(
  trx: Db,
  organizationId: string,
  containerIds: readonly string[],
  limit: number,
): Promise<MovableMessage[]> {
  return rows<MovableMessage>(
    trx,
    `select m.id, m.container_id, m.recipient from messages m
      where m.organization_id = :organizationId and m.container_id = any(:containerIds::uuid[]) and m.status = 'queued'
        -- High ones, the others and those of campaigns each have an index, which needs its condition spelt out.
        and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null or m.campaign_id is not null)
        and not m.pinned and m.outcome_unknown_since is null
      order by m.queue_at, m.id limit :limit for update`,
    { organizationId, containerIds, limit },
  )
}

/**
 * Returns whether a worker holds messages of these numbers that it may give back. They then come before those that are
 * queued.
 */
export async function hasClaimed(trx: Db, organizationId: string, containerIds: readonly string[]): Promise<boolean> {
  const [found] = await rows<{ claimed: boolean }>(
    trx,
    `select exists (
       select from messages
        where organization_id = :organizationId and container_id = any(:containerIds::uuid[])
          and status = 'sending' and lease_token is not null and not pinned and not direct and priority <> 'high'
     ) as claimed`,
    { organizationId, containerIds },
  )
  return found?.claimed ?? false
}

/** A message and the number that it moves to. */
export interface LaneMove {
  readonly id: string
  readonly to: string
}

/**
 * Moves messages to other lanes, which are locked, and makes those lanes due. Messages keep their id, network id,
 * attempts and place. The backoff of a failed attempt ends, because the fault was the old number's. What a guard rule
 * held is judged again for the new number. Messages of normal and low priority wait at least `pauseMs`.
 */
export async function moveMessages(
  trx: Db,
  organizationId: string,
  moves: readonly LaneMove[],
  pauseMs: number,
): Promise<void> {
  await rows(
    trx,
    `with moved as (
       update messages m
          set container_id = move.to_id, guard_rule = null,
              queue_at = case when m.guard_rule is null then m.queue_at else m.created_at end,
              due_at = case when m.guard_rule is not null then (select service_now())
                            when m.priority = 'high' or :pauseMs = 0 then least(m.due_at, m.queue_at)
                            else greatest(least(m.due_at, m.queue_at),
                                          (select service_now()) + :pauseMs * interval '1 millisecond') end
         from unnest(:ids::uuid[], :tos::uuid[]) as move(id, to_id)
        where m.id = move.id and m.organization_id = :organizationId
       returning m.container_id, m.due_at
     ), lane as (
       select container_id, min(due_at) as due_at from moved group by 1
     )
     update lanes set next_claim_at = least(next_claim_at, lane.due_at) from lane
       where lanes.container_id = lane.container_id`,
    { organizationId, ids: moves.map((move) => move.id), tos: moves.map((move) => move.to), pauseMs },
  )
  if (moves.length > 0) afterCommit(trx, 'lanes')
}
