import * as z from 'zod'
import * as cast from '../../examples/cast.ts'
import { ok } from '../../model/envelope.ts'
import { password } from '../../model/person-fields.ts'
import { twoFactorCode } from '../../model/sign-in.ts'
import { route } from '../../route.ts'

/** The end of an account. */
export const deletionRoutes = {
  /**
   * Deletes your account at once: your memberships, sessions, two steps and mails. Your e-mail address can sign up
   * again. The activity logs of your organizations keep your id without your name and address. Fails with
   * OWNS_ORGANIZATION while you own one.
   */
  deleteAccount: route('POST /auth/account/delete', {
    summary: 'Delete your account',
    access: { keys: 'none', withoutTwoFactor: true },
    body: z.object({ password: password.describe('Your password.'), code: twoFactorCode.optional() }),
    response: ok({}),
    errors: [
      'OWNS_ORGANIZATION',
      'WRONG_PASSWORD',
      'NO_PASSWORD_SET',
      'TWO_FACTOR_CODE_INVALID',
      'TOO_MANY_LOGIN_ATTEMPTS',
      'SECRETS_KEY_MISSING',
    ],
    example: { input: { password: cast.owner.password }, output: {} },
  }),
}
