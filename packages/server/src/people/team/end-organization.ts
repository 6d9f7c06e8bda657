import { endAccess } from '#api/access/end-access.ts'
import { deleteKeys } from '#api/access/key-store.ts'
import type { Actor } from '#api/activity/log.ts'
import { holdNumbers } from '#numbers/connection/hold-store.ts'
import { writeDeleted } from '#people/organizations/deletion-store.ts'
import type { Db } from '#platform/db/db.ts'
import { deleteInvitations } from './invitation-store.ts'

/** Who deletes an organization; `userId` is null for the operator. */
export interface DeletedBy {
  readonly userId: string | null
  readonly actor: Actor
}

/**
 * Ends all access to an organization, holds what is queued and marks it as deleted. Returns when, and how much ended.
 * Lock the organization first.
 */
export async function endOrganization(trx: Db, organizationId: string, { userId, actor }: DeletedBy) {
  const deletedAt = await writeDeleted(trx, organizationId, userId)
  const ended = await endAccess(trx, { organizationId, userId: null, by: actor })
  await deleteKeys(trx, organizationId)
  await deleteInvitations(trx, organizationId)
  await holdNumbers(trx, organizationId)
  return { deletedAt, ended }
}
