import { type Contract, limits } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { clearAttempts, countAttempt } from './attempt-store.ts'
import { limitAddress } from './attempts.ts'
import { isPassword } from './password.ts'
import { findForSignIn } from './store.ts'
import { issueToken } from './token.ts'

const { attemptsPerIp, windowSeconds, wrongPasswords, lockSeconds } = limits.signIn

/**
 * Signs a person in. An unknown e-mail and a wrong password get the same AUTH_ERROR in the same time. Throws RATE_LIMIT
 * for too many attempts from one address, TOO_MANY_LOGIN_ATTEMPTS while the e-mail is locked (specification, "Limits").
 */
export async function signIn({ body, ip }: Request<Contract['auth']['signIn']>, { db }: Services) {
  await limitAddress(db, ip, { what: 'sign-ins', attempts: attemptsPerIp, windowSeconds })
  const bucket = `wrong passwords of ${body.email}`
  await takeTry(db, bucket)
  const found = await findForSignIn(db, body.email)
  if (!(await isPassword(found?.passwordHash ?? null, body.password)) || !found) {
    throw apiError('AUTH_ERROR', 'The e-mail address or the password is wrong.', { reason: 'invalid_credentials' })
  }
  await clearAttempts(db, bucket)
  if (found.deactivated) {
    throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
  }
  const organization = { id: found.organizationId, name: found.organizationName }
  return issueToken(db, { id: found.userId, name: found.name, email: found.email }, organization, found.role)
}

/**
 * Counts the try before the comparison, so that parallel guesses get ten in all; a right password forgets them. Unknown
 * addresses are counted too: a lock that only known ones get would tell which are known.
 */
async function takeTry(db: Db, bucket: string): Promise<void> {
  const { attempts, retryAfterSeconds } = await countAttempt(db, bucket, lockSeconds, wrongPasswords)
  if (attempts <= wrongPasswords) return
  throw apiError('TOO_MANY_LOGIN_ATTEMPTS', `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
