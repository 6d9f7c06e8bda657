import { operator, recordActivity } from '../activity/log.ts'
import { type Db, transaction } from '../db/db.ts'
import { Refusal } from './refusal.ts'
import { lockOrganization } from './store.ts'

/** What an operator's change did, for the activity log. */
export interface Done<T> {
  readonly action: string
  readonly subject?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly result: T
}

/**
 * Makes one change of the operator's to an organization: change and activity log are one transaction, and changes to the
 * same organization follow each other. Throws {@link Refusal} for an organization that does not exist.
 */
export async function changeOrganization<T>(
  db: Db,
  organizationId: string,
  work: (trx: Db) => Promise<Done<T>>,
): Promise<T> {
  return transaction(db, async (trx) => {
    if (!(await lockOrganization(trx, organizationId))) throw noSuchOrganization(organizationId)
    const { result, ...activity } = await work(trx)
    await recordActivity(trx, { organizationId, actor: operator, ...activity })
    return result
  })
}

/** The one wording for an organization that is not there. */
export function noSuchOrganization(organizationId: string): Refusal {
  return new Refusal(`There is no organization ${organizationId}. See msgctl-server org list.`)
}
