import type { Contract } from '@msgctl/contract'
import { hashPassword, isPassword } from '../access/password.ts'
import { deleteTokensOfUser } from '../access/token-store.ts'
import { recordActivity, toActor } from '../activity/log.ts'
import { transaction } from '../db/db.ts'
import { apiError, invalidField } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import { replacePassword } from '../organizations/user-store.ts'
import type { Services } from '../services.ts'
import { clearAttempts, comparePassword } from './attempts.ts'
import { findCredentials } from './store.ts'

/**
 * Changes the password of the signed-in person and ends their other sessions. Wrong passwords count like those of a
 * sign-in. Throws WRONG_PASSWORD, TOO_MANY_LOGIN_ATTEMPTS, and VALIDATION_ERROR for a password that others can guess.
 */
export async function changePassword(
  { caller, body }: Request<Contract['auth']['changePassword']>,
  services: Services,
) {
  const { db } = services
  const { organizationId, userId } = caller
  const person = userId === null ? undefined : await findCredentials(db, organizationId, userId)
  if (!person)
    throw apiError('AUTH_ERROR', 'This session has just ended. Sign in again.', { reason: 'invalid_session' })
  requireUnguessable(body.newPassword, [person.email, person.name, person.organizationName])
  if (!(await comparePassword(db, person.email, () => isPassword(person.passwordHash, body.currentPassword)))) {
    throw wrongPassword()
  }
  const passwordHash = await hashPassword(body.newPassword)
  return transaction(db, async (trx) => {
    // Two changes at once, or a reset by the operator since the comparison: the first one wins.
    if (!(await replacePassword(trx, person.userId, person.passwordHash, passwordHash))) throw wrongPassword()
    await clearAttempts(trx, person.email)
    const ended = await deleteTokensOfUser(trx, person.userId, caller.credentialHash)
    await recordActivity(trx, {
      organizationId,
      actor: toActor(caller),
      action: 'password.changed',
      details: { ended },
    })
    return { ended }
  })
}

function wrongPassword() {
  return apiError('WRONG_PASSWORD', 'The current password is wrong.')
}

function requireUnguessable(password: string, names: readonly string[]): void {
  const isName = names.some((name) => name.toLowerCase() === password.trim().toLowerCase())
  if (isName) throw invalidField('newPassword', 'must not be your e-mail address or a name')
}
