import type { Contract } from '@msgctl/contract'
import { hashPassword } from '../access/password.ts'
import { deleteTokensOfUser } from '../access/token-store.ts'
import { recordForPerson } from '../activity/log.ts'
import { transaction } from '../db/db.ts'
import type { Request } from '../http/handler.ts'
import { queueMail } from '../mail/queue.ts'
import { replacePassword } from '../organizations/user-store.ts'
import type { Services } from '../services.ts'
import { deleteLinks } from './link-store.ts'
import { requireUnguessable } from './password-rules.ts'
import { requirePassword, wrongPassword } from './require-password.ts'
import { sessionEnded } from './session-ended.ts'
import { findCredentials } from './store.ts'
import { deleteChallenges } from './two-factor/challenge-store.ts'

/**
 * Changes the password of the signed-in person and ends their other sessions. Wrong passwords count like those of a
 * sign-in. Throws WRONG_PASSWORD, NO_PASSWORD_SET, TOO_MANY_LOGIN_ATTEMPTS, and VALIDATION_ERROR for a password that others can guess.
 */
export async function changePassword(
  { caller, body }: Request<Contract['auth']['changePassword']>,
  services: Services,
) {
  const { db, wake } = services
  const { organizationId, userId } = caller
  const names = userId === null ? undefined : await findCredentials(db, organizationId, userId)
  if (!names) throw sessionEnded()
  requireUnguessable('newPassword', body.newPassword, [names.email, names.name, names.organizationName])
  const person = await requirePassword(services, caller, body.currentPassword)
  const passwordHash = await hashPassword(body.newPassword)
  const ended = await transaction(db, async (trx) => {
    // Two changes at once, or a reset by the operator since the comparison: the first one wins.
    if (!(await replacePassword(trx, person.userId, person.passwordHash, passwordHash))) throw wrongPassword()
    await deleteChallenges(trx, person.userId)
    const sessions = await deleteTokensOfUser(trx, person.userId, caller.credentialHash)
    await deleteLinks(trx, person.userId, 'reset', 'welcome')
    await recordForPerson(trx, person.userId, {
      origin: caller.origin,
      action: 'password.changed',
      details: { ended: sessions },
    })
    await queueMail(trx, services, { to: person.email, kind: 'password_changed', facts: { name: person.name } })
    return sessions
  })
  wake.signal('mail')
  return { ended }
}
