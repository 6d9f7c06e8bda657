import { type Db, rows } from '#platform/db/db.ts'

/** A running number that its organization may not use. */
export interface UnentitledNumber {
  readonly containerId: string
  readonly organizationId: string
  /** True: the organization is deactivated, but has an active product. */
  readonly deactivatedOnly: boolean
}

/** Returns running numbers of organizations that are deactivated or without an active product, of all organizations. */
export async function findUnentitled(db: Db, limit: number): Promise<UnentitledNumber[]> {
  return rows<UnentitledNumber>(
    db,
    `select n.id as container_id, n.organization_id, o.products <> '{}' as deactivated_only
       from numbers n
       join entitlements o on o.organization_id = n.organization_id
      where n.status <> 'STOPPED' and (o.deactivated_at is not null or o.products = '{}')
      order by n.id limit :limit`,
    { limit },
  )
}

/** Returns stopped numbers with queued messages whose organization has no active product, of all organizations. */
export async function findLeftQueues(
  db: Db,
  limit: number,
): Promise<{ readonly organizationId: string; readonly containerId: string }[]> {
  const queued = `select from messages m where m.container_id = n.id and m.status = 'queued'`
  return rows(
    db,
    `select n.organization_id, n.id as container_id
       from numbers n
       join entitlements o on o.organization_id = n.organization_id
      where n.status = 'STOPPED' and o.products = '{}'
        -- Each of the three has an index of its own.
        and (exists (${queued} and m.priority = 'high')
             or exists (${queued} and m.priority <> 'high' and m.campaign_id is null)
             or exists (${queued} and m.campaign_id is not null))
      order by n.id limit :limit`,
    { limit },
  )
}

/** Returns whether an organization has no active product. */
export async function isWithoutProduct(db: Db, organizationId: string): Promise<boolean> {
  const found = await rows(
    db,
    `select 1 as without from entitlements where organization_id = :organizationId and products = '{}'`,
    { organizationId },
  )
  return found.length > 0
}

/** Returns numbers whose queue is held, of all organizations. */
export async function findHolds(db: Db): Promise<{ readonly organizationId: string; readonly containerId: string }[]> {
  return rows(
    db,
    `select organization_id, id as container_id from numbers
      where queue_held_at is not null order by organization_id, id`,
  )
}

/** Returns numbers without a lane, whose removal has begun, of all organizations. */
export async function findWithoutLane(
  db: Db,
): Promise<{ readonly organizationId: string; readonly containerId: string; readonly gateway: string }[]> {
  return rows(
    db,
    `select n.organization_id, n.id as container_id, n.gateway from numbers n
      where not exists (select from lanes l where l.container_id = n.id) order by n.organization_id, n.id limit 100`,
  )
}

/** The reason of a number that stopped because its organization had no active product. */
export const stoppedWithoutProduct = 'no_product'

/** A number that stopped because its organization had no active product. */
export interface StoppedNumber {
  readonly organizationId: string
  readonly containerId: string
}

/** Returns numbers that stopped without a product and whose organization has one again, of all organizations. */
export async function findEntitledAgain(db: Db, limit: number): Promise<StoppedNumber[]> {
  return rows<StoppedNumber>(
    db,
    `select n.organization_id, n.id as container_id
       from numbers n
       join entitlements o on o.organization_id = n.organization_id
      where n.status = 'STOPPED' and n.status_reason = '${stoppedWithoutProduct}' and o.products <> '{}'
        and o.deactivated_at is null and o.deleted_at is null and o.moving_at is null
      order by n.id limit :limit`,
    { limit },
  )
}
