import type { Contract } from '@msgctl/contract'
import { endAccess } from '#api/access/end-access.ts'
import { hashPassword } from '#api/access/password.ts'
import { recordForPerson, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { replacePassword } from '#people/organizations/user-store.ts'
import { listOwn } from '#people/team/store.ts'
import { transaction } from '#platform/db/db.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import { requireUnguessable } from './password-rules.ts'
import { requirePassword, wrongPassword } from './require-password.ts'
import { sessionEnded } from './session-ended.ts'
import { findCredentials } from './store.ts'

/**
 * Changes the password of the signed-in person and ends all their other access. Wrong passwords count like those of a
 * sign-in. Throws WRONG_PASSWORD, NO_PASSWORD_SET, TOO_MANY_LOGIN_ATTEMPTS, and VALIDATION_ERROR for a password that
 * others can guess.
 */
export async function changePassword(
  { caller, body }: Request<Contract['auth']['changePassword']>,
  services: Services,
) {
  const { db } = services
  const { organizationId, userId } = caller
  const names = userId === null ? undefined : await findCredentials(db, organizationId, userId)
  if (!names) throw sessionEnded()
  const organizations = (await listOwn(db, names.userId)).map(({ name }) => name)
  requireUnguessable('newPassword', body.newPassword, [names.email, names.name, ...organizations])
  const person = await requirePassword(services, caller, body.currentPassword)
  const passwordHash = await hashPassword(body.newPassword)
  return transaction(db, async (trx) => {
    // Two changes at once, or a reset by the operator since the comparison: the first one wins.
    if (!(await replacePassword(trx, person.userId, person.passwordHash, passwordHash))) throw wrongPassword()
    const { sessions } = await endAccess(trx, {
      userId: person.userId,
      organizationId: null,
      keep: caller.credentialHash,
      by: toActor(caller),
    })
    await recordForPerson(trx, person.userId, {
      origin: caller.origin,
      action: 'password.changed',
      details: { ended: sessions },
    })
    await queueMail(trx, services, { to: person.email, kind: 'password_changed', facts: { name: person.name } })
    return { ended: sessions }
  })
}
