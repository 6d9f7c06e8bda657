import { type Db, rows } from '#platform/db/db.ts'

/** A lane of an organization, locked until the transaction ends. */
export interface LockedLane {
  readonly id: string
  /** Whether messages may leave it: its number works and nothing is held. */
  readonly open: boolean
  readonly isDefault: boolean
}

/**
 * Locks every lane of an organization in the order of their ids, and returns the lanes by the age of their numbers.
 * Transactions that held one of these locks have ended by then, so the result is current.
 */
export async function lockLanes(trx: Db, organizationId: string): Promise<LockedLane[]> {
  return rows<LockedLane>(
    trx,
    `with locked as materialized (
       select container_id, open from lanes where organization_id = :organizationId order by container_id for update
     )
     select n.id, locked.open, n.is_default
       from locked join numbers n on n.id = locked.container_id
      where n.organization_id = :organizationId order by n.created_at, n.id`,
    { organizationId },
  )
}

/**
 * Returns the organizations, of all tenants, whose send group is on and that have a closed lane in which messages may
 * wait.
 */
export async function findWaiting(db: Db): Promise<string[]> {
  const found = await rows<{ organizationId: string }>(
    db,
    `select distinct l.organization_id from lanes l join send_groups g using (organization_id)
      where g.enabled and not l.open and l.next_claim_at < 'infinity'`,
  )
  return found.map(({ organizationId }) => organizationId)
}
