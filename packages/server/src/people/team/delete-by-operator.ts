import { limits } from '@msgctl/contract'
import { operator } from '#api/activity/log.ts'
import { changeOrganization } from '#people/organizations/change.ts'
import { findDeletionState } from '#people/organizations/deletion-store.ts'
import { listMembers } from '#people/organizations/member-store.ts'
import { findMoveState } from '#people/organizations/move-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { type MailServices, queueMail } from '#platform/mail/queue.ts'
import { endOrganization } from './end-organization.ts'

/**
 * Deletes an organization as its owner would: nothing of it works from now on, its members are mailed, and its data is
 * erased some days later, until when it can be restored. Throws {@link Refusal} for one that is deleted, protected or
 * moving.
 */
export async function deleteByOperator(db: Db, mail: MailServices, organizationId: string): Promise<{ name: string }> {
  return changeOrganization(db, organizationId, async (trx) => {
    const { name } = await requireDeletable(trx, organizationId)
    const members = await listMembers(trx, organizationId)
    const { ended } = await endOrganization(trx, organizationId, { userId: null, actor: operator })
    for (const { email: to } of members) {
      const facts = { organization: name }
      await queueMail(trx, mail, { to, kind: 'organization_deleted', facts, organizationId })
    }
    return { action: 'organization.deleted', details: { name, ...ended }, result: { name } }
  })
}

/** Returns the name of an organization that the operator may delete. Throws {@link Refusal} for others. */
export async function requireDeletable(db: Db, organizationId: string): Promise<{ name: string }> {
  const found = await findDeletionState(db, organizationId, limits.erasureDays)
  const move = await findMoveState(db, organizationId)
  if (found?.deletedAt) throw new Refusal('The organization is deleted already. See msgctl-server org restore.')
  if (found?.isProtected) {
    throw new Refusal('The organization is protected. Run msgctl-server org unprotect first.')
  }
  if (found?.isPlatformAdmin) {
    throw new Refusal('The organization administers the platform. Run msgctl-server admin remove first.')
  }
  if (move?.movedTo) {
    throw new Refusal(
      `The organization has moved to ${move.movedTo}. Delete it there; its data here is deleted by itself.`,
    )
  }
  if (move?.movingAt)
    throw new Refusal('The organization is closed for a move. Run msgctl-server org cancel-move first.')
  return { name: found?.name ?? '' }
}
