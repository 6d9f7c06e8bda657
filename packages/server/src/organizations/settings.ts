import type { Db } from '../db/db.ts'
import { findExtra } from '../numbers/records/store.ts'
import { changeOrganization } from './change.ts'
import { Refusal } from './refusal.ts'
import { writeDeactivated, writeExtraNumbers } from './store.ts'

/** Shuts an organization out (ACCOUNT_DEACTIVATED for all its credentials) or lets it in again. Nothing is deleted. */
export async function setActive(db: Db, organizationId: string, active: boolean): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    await writeDeactivated(trx, organizationId, !active)
    return { action: active ? 'organization.activated' : 'organization.deactivated', result: undefined }
  })
}

/**
 * Sets how many numbers an organization bought on top of the included ones, and until when; `until` null: for good.
 * Throws {@link Refusal} for a time that is over.
 */
export async function setExtraNumbers(
  db: Db,
  organizationId: string,
  extra: number,
  until: Date | null,
): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    await writeExtraNumbers(trx, organizationId, extra, until)
    const { extra: counted } = await findExtra(trx, organizationId)
    if (counted !== extra) throw new Refusal(`${until?.toISOString()} is over, so nothing would be gained.`, 2)
    return { action: 'extra_numbers.set', details: { extra, until }, result: undefined }
  })
}
