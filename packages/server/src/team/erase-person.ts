import { endAccess } from '../access/end-access.ts'
import { eraseEmail } from '../activity/erase-store.ts'
import type { Actor } from '../activity/log.ts'
import { eraseAttempts } from '../auth/attempts.ts'
import { deleteResetRequests } from '../auth/reset-request-store.ts'
import type { Db } from '../db/db.ts'
import { deleteKeysOfCredential } from '../idempotency/erase-store.ts'
import { deleteMailsTo } from '../mail/store.ts'
import { deleteUser } from '../organizations/user-store.ts'
import { deleteInvitationsTo } from './invitation-store.ts'
import { listOwn } from './store.ts'

/** A person whose account is erased. */
export interface ErasedPerson {
  readonly id: string
  readonly email: string
}

/**
 * Erases an account, in the transaction that deletes it: afterwards no table holds the name or the address, which can sign
 * up again. References to the person delete their rows. The activity log keeps the id.
 */
export async function erasePerson(trx: Db, { id, email }: ErasedPerson, by: Actor): Promise<void> {
  await endAccess(trx, { userId: id, organizationId: null, by })
  const organizationIds = (await listOwn(trx, id)).map((own) => own.id)
  await deleteKeysOfCredential(trx, organizationIds, `user:${id}`)
  await deleteMailsTo(trx, email)
  await eraseAttempts(trx, { id, email })
  await deleteResetRequests(trx, email)
  await deleteInvitationsTo(trx, email)
  await eraseEmail(trx, email)
  await deleteUser(trx, id)
}
