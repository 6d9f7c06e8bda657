import { type Db, rows } from '#platform/db/db.ts'

/** A number that a connection can be for. */
export interface OwnNumber {
  readonly containerId: string
  readonly label: string
  readonly phoneNumber: string | null
}

/** Returns the numbers of an organization, the oldest first. */
export async function listOwnNumbers(db: Db, organizationId: string): Promise<OwnNumber[]> {
  return rows<OwnNumber>(
    db,
    `select id as container_id, label, phone_number from numbers
      where organization_id = :organizationId order by created_at, id`,
    { organizationId },
  )
}

/** Returns whether the organization has a number with this id. */
export async function hasNumber(db: Db, organizationId: string, containerId: string): Promise<boolean> {
  const [found] = await rows<{ any: boolean }>(
    db,
    'select exists (select from numbers where organization_id = :organizationId and id = :containerId) as any',
    { organizationId, containerId },
  )
  return found?.any ?? false
}
