import { type Db, rows } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'

/** Throws NOT_FOUND if a filter names a number that the organization does not have. */
export async function requireOwnNumber(db: Db, organizationId: string, containerId: string | undefined): Promise<void> {
  if (containerId === undefined) return
  const found = await rows(
    db,
    'select 1 as found from numbers where organization_id = :organizationId and id = :containerId',
    {
      organizationId,
      containerId,
    },
  )
  if (found.length === 0) throw apiError('NOT_FOUND', 'There is no such number.')
}
