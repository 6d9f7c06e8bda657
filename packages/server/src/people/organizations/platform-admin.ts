import type { Db } from '#platform/db/db.ts'
import { changeOrganization } from './change.ts'
import { findPlatformState, writePlatformAdmin } from './platform-admin-store.ts'
import { Refusal } from './refusal.ts'

/**
 * Makes the people of an organization the staff of the platform, or no longer. Throws {@link Refusal} for a deleted
 * organization, and when nothing would change.
 */
export async function setPlatformAdmin(db: Db, organizationId: string, isAdmin: boolean): Promise<{ name: string }> {
  return changeOrganization(db, organizationId, async (trx) => {
    const { name, isPlatformAdmin, isDeleted } = await findPlatformState(trx, organizationId)
    if (isAdmin && isDeleted) throw new Refusal('The organization is deleted. See msgctl-server org restore.')
    if (isAdmin === isPlatformAdmin) {
      throw new Refusal(`The organization is ${isAdmin ? 'already' : 'not'} one of the platform's staff.`)
    }
    await writePlatformAdmin(trx, organizationId, isAdmin)
    return { action: isAdmin ? 'platform_admin.added' : 'platform_admin.removed', result: { name } }
  })
}
