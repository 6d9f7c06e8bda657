import { type Contract, limits } from '@msgctl/contract'
import { isPassword } from '../access/password.ts'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { clearAttempts, countAttempt, limitAddress, refundAttempt } from './attempts.ts'
import { findForSignIn, type SignInRow } from './store.ts'
import { issueToken } from './token.ts'

/** How often one address may try (specification, "Limits"). */
export const signInLimit = {
  what: 'sign-ins',
  attempts: limits.signIn.attemptsPerIp,
  windowSeconds: limits.signIn.windowSeconds,
} as const

/**
 * Signs a person in. An unknown e-mail and a wrong password get the same AUTH_ERROR in the same time. Throws RATE_LIMIT
 * for too many attempts from one address, TOO_MANY_LOGIN_ATTEMPTS while the e-mail is locked (specification, "Limits").
 */
export async function signIn({ body, ip }: Request<Contract['auth']['signIn']>, { db }: Services) {
  await limitAddress(db, ip, signInLimit)
  await countAttempt(db, body.email)
  const found = await compare(db, body).catch(async (error: unknown) => {
    // The service could not tell; that must not lock out who knows the password.
    await refundAttempt(db, body.email).catch(() => undefined)
    throw error
  })
  if (!found) {
    throw apiError('AUTH_ERROR', 'The e-mail address or the password is wrong.', { reason: 'invalid_credentials' })
  }
  await clearAttempts(db, body.email)
  if (found.deactivated) {
    throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
  }
  const organization = { id: found.organizationId, name: found.organizationName }
  return issueToken(db, { id: found.userId, name: found.name, email: found.email }, organization, found.role)
}

/** The person whose e-mail and password these are; undefined when there is none. */
async function compare(
  db: Db,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignInRow | undefined> {
  const found = await findForSignIn(db, email)
  return (await isPassword(found?.passwordHash ?? null, password)) ? found : undefined
}
