import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { requireBothSteps } from '#people/auth/require-both-steps.ts'
import { lockOrganization, putMember } from '#people/organizations/store.ts'
import { lockUser } from '#people/organizations/user-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import { noSuchMember, notOwner, ownerFirst, tooManyOrganizations } from './errors.ts'
import { ownsTheMost } from './owned.ts'
import { findOrganization, findTeamMember } from './store.ts'

/**
 * Makes another member the owner. The owner becomes an admin first, so that there is never a second one. Throws
 * ALREADY_OWNER, NOT_FOUND, TOO_MANY_ORGANIZATIONS, TWO_FACTOR_OWNER_FIRST, and the errors of password and second step.
 */
export async function transfer(
  { caller, body }: Request<Contract['organization']['transfer']>,
  services: Services,
): Promise<void> {
  const { db } = services
  const { organizationId } = caller
  const owner = await requireBothSteps(services, caller, body)
  if (body.userId === owner.userId) throw apiError('ALREADY_OWNER', 'You are the owner already.')
  await transaction(db, async (trx) => {
    await lockOrganization(trx, organizationId)
    const organization = await findOrganization(trx, organizationId)
    if (organization?.ownerId !== owner.userId) throw notOwner('transfer it')
    await lockUser(trx, body.userId)
    const next = await findTeamMember(trx, organizationId, body.userId)
    if (!next) throw noSuchMember()
    if (organization.requireTwoFactor && !next.twoFactorEnabled) throw ownerFirst()
    if (await ownsTheMost(trx, next.id)) throw tooManyOrganizations()
    await putMember(trx, organizationId, owner.userId, 'admin')
    crashPoint('transfer.without-owner')
    await putMember(trx, organizationId, next.id, 'owner')
    const details = { from: owner.userId, to: next.id }
    const action = 'organization.transferred'
    await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: next.id, details })
    const facts = { organization: organization.name, owner: next.name }
    for (const to of [owner.email, next.email]) {
      await queueMail(trx, services, { to, kind: 'owner_changed', facts, organizationId })
    }
    crashPoint('transfer.before-commit')
  })
  crashPoint('transfer.committed')
}
