import { type Contract, limits } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { requireBothSteps } from '#people/auth/require-both-steps.ts'
import { sessionEnded } from '#people/auth/session-ended.ts'
import { personOf } from '#people/auth/sessions.ts'
import { findDeletionState } from '#people/organizations/deletion-store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { lockUser } from '#people/organizations/user-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import { endOrganization } from './end-organization.ts'
import { erasePerson } from './erase-person.ts'
import { lastOrganization, notOwner, ownsOrganizations } from './errors.ts'
import { listOwn, listTeam } from './store.ts'

type Deletion = Request<Contract['organization']['delete']>
const dayMs = 24 * 60 * 60 * 1000

/**
 * Deletes the organization of the caller: nothing of it works from the commit on. Its data is erased some days later by
 * a job, until when the operator can restore it. Throws ADMIN_CANNOT_DELETE, LAST_ORGANIZATION, OWNS_ORGANIZATION,
 * VALIDATION_ERROR for another name, and the errors of password and second step.
 */
export async function deleteOrganization(request: Deletion, services: Services) {
  const { caller, body } = request
  const { db } = services
  await requireDeletable(db, request)
  const owner = await requireBothSteps(services, caller, body)
  const deletedAt = await transaction(db, async (trx) => {
    await lockOrganization(trx, caller.organizationId)
    await lockUser(trx, owner.userId)
    const name = await requireDeletable(trx, request)
    const at = await endByOwner(trx, request, name)
    if (body.deleteAccount) await erasePerson(trx, { id: owner.userId, email: owner.email }, toActor(caller))
    // After the account, whose mails go with it: this one goes with the organization.
    for (const to of await mailedTo(trx, caller.organizationId, owner.email)) {
      const facts = { organization: name }
      const { organizationId } = caller
      await queueMail(trx, services, { to, kind: 'organization_deleted', facts, organizationId })
    }
    crashPoint('organization-delete.before-commit')
    return at
  })
  crashPoint('organization-delete.committed')
  return { erasedAfter: new Date(deletedAt.getTime() + limits.erasureDays * dayMs).toISOString() }
}

/** Returns the name of the organization, if its owner may delete it. */
async function requireDeletable(db: Db, { caller, body }: Deletion): Promise<string> {
  const { organizationId } = caller
  const userId = personOf(caller)
  const found = await findDeletionState(db, organizationId, limits.erasureDays)
  if (!found || found.deletedAt) throw sessionEnded()
  if (found.ownerId !== userId) throw notOwner('delete it')
  if (found.isPlatformAdmin) {
    throw apiError('ADMIN_CANNOT_DELETE', 'This organization administers the platform. Write to its operator.')
  }
  if (found.isProtected) {
    throw apiError('ADMIN_CANNOT_DELETE', 'This organization is protected. Write to the operator of the service.')
  }
  const others = (await listOwn(db, userId)).filter(({ id }) => id !== organizationId)
  if (body.deleteAccount) {
    const owned = others.filter(({ memberRole }) => memberRole === 'owner')
    if (owned.length > 0) throw ownsOrganizations(owned)
  } else if (others.length === 0) {
    throw lastOrganization('Delete your account too with deleteAccount, or join or found another one first.')
  }
  if (body.name !== found.name) throw invalidField('name', 'must be the exact name of the organization')
  return found.name
}

/** Ends the organization, with its entry in the activity log. Returns when. */
async function endByOwner(trx: Db, { caller }: Deletion, name: string): Promise<Date> {
  const { organizationId } = caller
  const actor = toActor(caller)
  const { deletedAt, ended } = await endOrganization(trx, organizationId, { userId: personOf(caller), actor })
  const details = { name, ...ended }
  await recordActivity(trx, { organizationId, actor, action: 'organization.deleted', details })
  return deletedAt
}

/** Returns the addresses of the team, and that of the owner also when the account is deleted. */
async function mailedTo(trx: Db, organizationId: string, ownerEmail: string): Promise<string[]> {
  const members = await listTeam(trx, organizationId)
  return [...new Set([ownerEmail, ...members.map(({ email }) => email)])]
}
