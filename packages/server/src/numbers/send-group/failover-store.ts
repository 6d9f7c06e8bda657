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
