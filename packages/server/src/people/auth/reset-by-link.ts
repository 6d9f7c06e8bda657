import type { Contract } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { endAccess } from '#api/access/end-access.ts'
import { deleteVerification, takeLink } from '#api/access/link-store.ts'
import { hashPassword } from '#api/access/password.ts'
import { recordForPerson } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { lockUser, writeEmailVerified, writePassword } from '#people/organizations/user-store.ts'
import { listOwn } from '#people/team/store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import { clearAttempts, limitAddress, publicLimit } from './attempts.ts'
import { requireUnguessable } from './password-rules.ts'

/**
 * Sets a new password by the link of a mail, which also proves the address, and ends all access of the person. Throws
 * INVALID_LINK for a link that is unknown, expired or used, and VALIDATION_ERROR for a password that others can guess.
 */
export async function resetByLink(
  { body, ip, origin }: Request<Contract['auth']['resetPassword']>,
  services: Services,
) {
  const { db } = services
  await limitAddress(db, ip, publicLimit('new passwords'))
  // Hashed first, so that a wrong link takes as long as a right one.
  const passwordHash = await hashPassword(body.password)
  await transaction(db, async (trx) => {
    const link = await takeLink(trx, 'reset', hashCredential(body.token))
    const person = link && (await lockUser(trx, link.userId))
    if (!person) throw invalidLink()
    const organizations = (await listOwn(trx, person.id)).map(({ name }) => name)
    requireUnguessable('password', body.password, [person.email, person.name, ...organizations])
    await writePassword(trx, person.id, passwordHash)
    await writeEmailVerified(trx, person.id)
    const by = { kind: 'user', id: person.id, origin } as const
    const { sessions: ended } = await endAccess(trx, { userId: person.id, organizationId: null, by })
    await deleteVerification(trx, person.id)
    await clearAttempts(trx, person.email)
    await recordForPerson(trx, person.id, { origin, action: 'password.reset', details: { ended } })
    await queueMail(trx, services, { to: person.email, kind: 'password_changed', facts: { name: person.name } })
    crashPoint('reset.before-commit')
  })
  crashPoint('reset.committed')
  return {}
}

/** Returns the error for a link that does not work, in one wording for each reason. */
export function invalidLink() {
  return apiError('INVALID_LINK', 'This link has expired or was used. Request a new one.')
}
