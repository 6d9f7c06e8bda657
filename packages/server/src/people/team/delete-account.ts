import type { Contract } from '@msgctl/contract'
import { recordForPerson, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { requireBothSteps } from '#people/auth/require-both-steps.ts'
import { sessionEnded } from '#people/auth/session-ended.ts'
import { lockUser } from '#people/organizations/user-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { erasePerson } from './erase-person.ts'
import { ownsOrganizations } from './errors.ts'
import { listOwn } from './store.ts'

/** Deletes the account of the caller at once. Throws OWNS_ORGANIZATION, and the errors of password and second step. */
export async function deleteAccount(
  { caller, body, origin }: Request<Contract['auth']['deleteAccount']>,
  services: Services,
) {
  const { db } = services
  if (caller.userId !== null) await requireNoneOwned(db, caller.userId)
  const { userId, email } = await requireBothSteps(services, caller, body)
  await transaction(db, async (trx) => {
    // Founding and receiving an organization take this lock too.
    if (!(await lockUser(trx, userId))) throw sessionEnded()
    await requireNoneOwned(trx, userId)
    await recordForPerson(trx, userId, { origin, action: 'account.deleted' })
    await erasePerson(trx, { id: userId, email }, toActor(caller))
    crashPoint('account-delete.before-commit')
  })
  crashPoint('account-delete.committed')
  return {}
}

/** Throws OWNS_ORGANIZATION when a person owns an organization. */
async function requireNoneOwned(db: Db, userId: string): Promise<void> {
  const owned = (await listOwn(db, userId)).filter(({ memberRole }) => memberRole === 'owner')
  if (owned.length > 0) throw ownsOrganizations(owned)
}
