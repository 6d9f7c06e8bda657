import { isPassword } from '#api/access/password.ts'
import type { Caller } from '#api/http/handler.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { clearAttempts, comparePassword } from './attempts.ts'
import { sessionEnded } from './session-ended.ts'
import { type Credentials, findCredentials } from './store.ts'

/**
 * Requires the password of the signed-in person for a sensitive change, so that a stolen session is not enough. Wrong
 * ones count like those of a sign-in. Throws WRONG_PASSWORD, NO_PASSWORD_SET and TOO_MANY_LOGIN_ATTEMPTS.
 */
export async function requirePassword(
  { db }: Pick<Services, 'db'>,
  { organizationId, userId }: Caller,
  password: string,
): Promise<Credentials & { readonly passwordHash: string }> {
  const person = userId === null ? undefined : await findCredentials(db, organizationId, userId)
  if (!person) throw sessionEnded()
  const { passwordHash } = person
  if (passwordHash === null) {
    throw apiError('NO_PASSWORD_SET', 'This account has no password yet. Request a link that sets one.')
  }
  if (!(await comparePassword(db, person.email, () => isPassword(passwordHash, password)))) throw wrongPassword()
  await clearAttempts(db, person.email)
  return { ...person, passwordHash }
}

/** Returns the error for a wrong password of the signed-in person. */
export function wrongPassword() {
  return apiError('WRONG_PASSWORD', 'The current password is wrong.')
}
