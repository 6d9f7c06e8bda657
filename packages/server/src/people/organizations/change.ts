import { operator, recordActivity } from '#api/activity/log.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { Refusal } from './refusal.ts'
import { lockOrganization } from './store.ts'

/** The result of an operator's change, with its entry for the activity log. */
export interface Done<T> {
  readonly action: string
  readonly subject?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly result: T
}

/**
 * Makes one operator's change to an organization. The change and its activity log entry are one transaction, and
 * changes to the same organization are serialized. Throws {@link Refusal} for an organization that does not exist.
 */
export async function changeOrganization<T>(
  db: Db,
  organizationId: string,
  change: (trx: Db) => Promise<Done<T>>,
): Promise<T> {
  return transaction(db, async (trx) => {
    if (!(await lockOrganization(trx, organizationId))) throw noSuchOrganization(organizationId)
    const { result, ...activity } = await change(trx)
    await recordActivity(trx, { organizationId, actor: operator, ...activity })
    return result
  })
}

/** Returns the refusal for an unknown organization. */
export function noSuchOrganization(organizationId: string): Refusal {
  return new Refusal(`There is no organization ${organizationId}. See msgctl-server org list.`)
}
