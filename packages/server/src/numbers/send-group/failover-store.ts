import { type Db, rows } from '../../db/db.ts'

/** A lane of an organization, locked until the transaction ends. */
export interface LockedLane {
  readonly id: string
  /** Whether messages may leave it: its number works and nothing is held. */
  readonly open: boolean
  readonly isDefault: boolean
}

/**
 * Locks every lane of an organization in the order of their id, and answers them by the age of their numbers. Whoever
 * waited for one of them has committed by then, so that the answer is the present.
 */
export async function lockLanes(trx: Db, organizationId: string): Promise<LockedLane[]> {
  return rows<LockedLane>(
    trx,
    `with locked as materialized (
       select container_id, open from lanes where organization_id = :organizationId order by container_id for update
     )
     select n.id, locked.open, n.is_default as "isDefault"
       from locked join numbers n on n.id = locked.container_id
      where n.organization_id = :organizationId order by n.created_at, n.id`,
    { organizationId },
  )
}

/** A queued message that may go to another number. */
export interface MovableMessage {
  readonly id: string
  readonly containerId: string
  readonly recipient: string
}

/**
 * Locks what waits on these numbers and may leave through another one, in the order of the queue. A message that the
 * network may already have from its number stays there: from another number it would be a second message.
 */
export async function lockMovable(
  trx: Db,
  organizationId: string,
  containerIds: readonly string[],
  limit: number,
): Promise<MovableMessage[]> {
  return rows<MovableMessage>(
    trx,
    `select m.id, m.container_id as "containerId", m.recipient from messages m
      where m.organization_id = :organizationId and m.container_id = any(:containerIds::uuid[]) and m.status = 'queued'
        and (m.priority = 'high' or m.priority <> 'high' and m.campaign_id is null or m.campaign_id is not null) and not m.pinned and m.outcome_unknown_since is null
      order by m.queue_at, m.id limit :limit for update`,
    { organizationId, containerIds, limit },
  )
}

/** Whether a worker still holds messages of these numbers that it may give back, to stand before those that wait. */
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

/** Where a message goes. */
export interface LaneMove {
  readonly id: string
  readonly to: string
}

/**
 * Moves messages and tells their new lanes, which are locked. They keep id, network id, attempts and place. What a
 * failed try made them wait for was the old number's trouble, so it ends; `pauseMs` is how long normal and low ones wait
 * at least.
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
          set container_id = move.to_id,
              due_at = case when m.priority = 'high' or :pauseMs = 0 then least(m.due_at, m.queue_at)
                            else greatest(least(m.due_at, m.queue_at),
                                          (select service_now()) + :pauseMs * interval '1 millisecond') end
         from unnest(:ids::uuid[], :tos::uuid[]) as move(id, to_id)
        where m.id = move.id and m.organization_id = :organizationId
       returning m.container_id, m.due_at
     ), lane as (
       select container_id, min(due_at) as due_at from moved group by 1
     )
     update lanes set next_claim_at = least(next_claim_at, lane.due_at) from lane where lanes.container_id = lane.container_id`,
    { organizationId, ids: moves.map((move) => move.id), tos: moves.map((move) => move.to), pauseMs },
  )
}

/**
 * Organizations whose send group is on and that have a lane which is shut although somebody may wait there. All tenants
 * are looked at.
 */
export async function findWaiting(db: Db): Promise<string[]> {
  const found = await rows<{ organizationId: string }>(
    db,
    `select distinct l.organization_id as "organizationId" from lanes l join send_groups g using (organization_id)
      where g.enabled and not l.open and l.next_claim_at < 'infinity'`,
  )
  return found.map(({ organizationId }) => organizationId)
}
