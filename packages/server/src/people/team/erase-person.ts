import { endAccess } from '#api/access/end-access.ts'
import { eraseEmail } from '#api/activity/erase-store.ts'
import type { Actor } from '#api/activity/log.ts'
import { deleteKeysOfCredential } from '#api/idempotency/erase-store.ts'
import { eraseAttempts } from '#people/auth/attempts.ts'
import { deleteResetRequests } from '#people/auth/reset-request-store.ts'
import { deleteUser } from '#people/organizations/user-store.ts'
import type { Db } from '#platform/db/db.ts'
import { deleteMailsTo } from '#platform/mail/store.ts'
import { eraseInvitationsTo } from './invitation-store.ts'
import { listOwn } from './store.ts'

/** A person whose account is erased. */
export interface ErasedPerson {
  readonly id: string
  readonly email: string
}

/**
 * Erases an account, in the transaction that deletes it: afterwards no table holds the name or the address, which can
 * sign up again. References to the person delete their rows; invitations stay without them. The activity log keeps the
 * id.
 */
export async function erasePerson(trx: Db, { id, email }: ErasedPerson, by: Actor): Promise<void> {
  await endAccess(trx, { userId: id, organizationId: null, by })
  const organizationIds = (await listOwn(trx, id)).map((own) => own.id)
  await deleteKeysOfCredential(trx, organizationIds, `user:${id}`)
  await deleteMailsTo(trx, email)
  await eraseAttempts(trx, { id, email })
  await deleteResetRequests(trx, email)
  await eraseInvitationsTo(trx, email)
  await eraseEmail(trx, email)
  await deleteUser(trx, id)
}
