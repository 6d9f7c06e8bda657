import { limits } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { changeOrganization } from './change.ts'
import { findDeletionState, writeProtected, writeRestored } from './deletion-store.ts'
import { findMember, lockPerson } from './member-store.ts'
import { Refusal } from './refusal.ts'
import { putMember } from './store.ts'

/** Refuses the deletion of an organization by its owner with ADMIN_CANNOT_DELETE, or allows it again. */
export async function setProtected(db: Db, organizationId: string, isProtected: boolean): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    await writeProtected(trx, organizationId, isProtected)
    return { action: isProtected ? 'organization.protected' : 'organization.unprotected', result: undefined }
  })
}

/**
 * Takes the deletion of an organization back: its data is there, its keys and sessions are not, and its numbers have to
 * be linked again. An organization whose owner deleted their account needs another one, who must have an account.
 * Throws {@link Refusal} for one that is not deleted or is being erased.
 */
export async function restoreOrganization(db: Db, organizationId: string, ownerEmail: string | null): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    const found = await findDeletionState(trx, organizationId, limits.erasureDays)
    if (!found?.deletedAt) throw new Refusal('The organization is not deleted.')
    if (!found.isRestorable) throw new Refusal('The organization is being erased and cannot be restored any more.')
    const heir = await chooseOwner(trx, organizationId, found.ownerId, ownerEmail)
    if (heir !== null) await putMember(trx, organizationId, heir, 'owner')
    await writeRestored(trx, organizationId)
    const details = ownerEmail === null ? {} : { email: ownerEmail }
    return { action: 'organization.restored', details, result: undefined }
  })
}

/** Returns the person to become owner; null when there is one. */
async function chooseOwner(
  trx: Db,
  organizationId: string,
  ownerId: string | null,
  ownerEmail: string | null,
): Promise<string | null> {
  if (ownerId !== null && ownerEmail === null) return null
  if (ownerId !== null) throw new Refusal('The organization has an owner. Leave out --owner.')
  if (ownerEmail === null) throw new Refusal('The owner deleted their account. Name another one with --owner.')
  const person = (await findMember(trx, organizationId, ownerEmail)) ?? (await lockPerson(trx, ownerEmail))
  if (!person) throw new Refusal(`There is no account with the address ${ownerEmail}.`)
  return person.id
}
