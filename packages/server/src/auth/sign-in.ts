import { type Contract, limits } from '@msgctl/contract'
import { isPassword } from '../access/password.ts'
import { type Db, transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import { lockPassword } from '../organizations/user-store.ts'
import type { Services } from '../services.ts'
import { clearAttempts, comparePassword, limitAddress } from './attempts.ts'
import { findForSignIn, type SignInRow } from './store.ts'
import { issueToken } from './token.ts'

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
export async function signIn({ body, ip }: Request<Contract['auth']['signIn']>, { db }: Services) {
  await limitAddress(db, ip, signInLimit)
  const person = await comparePassword(db, body.email, () => findPerson(db, body))
  if (!person) throw wrongCredentials()
  await clearAttempts(db, body.email)
  if (person.deactivated) {
    throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
  }
  const organization = { id: person.organizationId, name: person.organizationName }
  return transaction(db, async (trx) => {
    // A new password ends all sessions, so the old one must not start one after that.
    if (!(await lockPassword(trx, person.userId, person.passwordHash))) throw wrongCredentials()
    return issueToken(trx, { id: person.userId, name: person.name, email: person.email }, organization, person.role)
  })
}

function wrongCredentials() {
  return apiError('AUTH_ERROR', 'The e-mail address or the password is wrong.', { reason: 'invalid_credentials' })
}

/** Returns the person with this e-mail and password, or undefined. */
async function findPerson(
  db: Db,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignInRow | undefined> {
  const found = await findForSignIn(db, email)
  return (await isPassword(found?.passwordHash ?? null, password)) ? found : undefined
}
