import { limits } from '@msgctl/contract'
import { findExtra } from '#numbers/records/store.ts'
import type { Db } from '#platform/db/db.ts'
import { changeOrganization } from './change.ts'
import { findDeletionState } from './deletion-store.ts'
import { Refusal } from './refusal.ts'
import { writeDeactivated, writeExtraNumbers } from './store.ts'

/** Deactivates an organization, which refuses all its credentials with ACCOUNT_DEACTIVATED, or activates it again. */
export async function setActive(db: Db, organizationId: string, active: boolean): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    const state = await findDeletionState(trx, organizationId, limits.erasureDays)
    if (state?.deletedAt) throw new Refusal('The organization is deleted. See msgctl-server org restore.')
    await writeDeactivated(trx, organizationId, !active)
    return { action: active ? 'organization.activated' : 'organization.deactivated', result: undefined }
  })
}

/**
 * Sets how many extra numbers an organization bought beyond the included ones, and until when. A null `until` has no
 * end. Throws {@link Refusal} for a time in the past.
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
    if (counted !== extra) throw new Refusal(`${until?.toISOString()} is in the past. Give a later time.`, 2)
    return { action: 'extra_numbers.set', details: { extra, until }, result: undefined }
  })
}
