import { type Contract, limits } from '@msgctl/contract'
import { isPassword } from '#api/access/password.ts'
import type { Request } from '#api/http/handler.ts'
import { lockPassword } from '#people/organizations/user-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { clearAttempts, comparePassword, limitAddress } from './attempts.ts'
import { startSession } from './session.ts'
import { findForSignIn, type SignInRow } from './store.ts'
import { startChallenge } from './two-factor/challenge.ts'

/** The limit for one address (specification, "Limits"). */
export const signInLimit = {
  what: 'sign-ins',
  attempts: limits.signIn.attemptsPerIp,
  windowSeconds: limits.signIn.windowSeconds,
} as const

/**
 * Signs a person in. An unknown e-mail and a wrong password get the same AUTH_ERROR in the same time. Throws RATE_LIMIT
 * after too many attempts from one address, and TOO_MANY_LOGIN_ATTEMPTS while the e-mail is locked (specification,
 * "Limits").
 */
export async function signIn({ body, ip, origin }: Request<Contract['auth']['signIn']>, services: Services) {
  const { db } = services
  await limitAddress(db, ip, signInLimit)
  const person = await comparePassword(db, body.email, () => findPerson(db, body))
  if (!person?.passwordHash) throw wrongCredentials()
  const { passwordHash } = person
  await clearAttempts(db, body.email)
  if (person.deactivated) {
    throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
  }
  return transaction(db, async (trx) => {
    // A new password ends all sessions, so the old one must not start one after that.
    if (!(await lockPassword(trx, person.userId, passwordHash))) throw wrongCredentials()
    if (person.twoFactor) return startChallenge(trx, person)
    return startSession(trx, services, person, { origin, twoFactor: false })
  })
}

function wrongCredentials() {
  return apiError('AUTH_ERROR', 'The e-mail address or the password is wrong.', { reason: 'invalid_credentials' })
}

/** Returns the person with this e-mail and password, or undefined. */
async function findPerson(
  db: Db,
  { email, password, organizationId }: Request<Contract['auth']['signIn']>['body'],
): Promise<SignInRow | undefined> {
  const found = await findForSignIn(db, email, organizationId ?? null)
  return (await isPassword(found?.passwordHash ?? null, password)) ? found : undefined
}
