import * as z from 'zod'
import * as cast from '../../examples/cast.ts'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { count } from '../../model/fields.ts'
import { email, linkToken, newPassword, password } from '../../model/person-fields.ts'
import { route } from '../../route.ts'

const open = { keys: 'public' } as const

/** Passwords, their reset by mail, and the confirmation of e-mail addresses. */
export const passwordRoutes = {
  /**
   * Changes your own password, and ends all your other sessions and your AI connections. A wrong current password fails
   * with WRONG_PASSWORD and counts like one at sign-in: after 10 the e-mail is locked for 15 minutes with
   * TOO_MANY_LOGIN_ATTEMPTS. An account that never set a password fails with NO_PASSWORD_SET.
   */
  changePassword: route('PUT /auth/password', {
    summary: 'Change your password',
    access: { keys: 'none', withoutTwoFactor: true },
    body: z.object({
      currentPassword: password.describe('The password until now.'),
      newPassword: newPassword.describe(
        '10 to 200 characters; not your e-mail address, your name or that of the organization.',
      ),
    }),
    response: ok({ ended: count('Other sessions that were ended.') }),
    errors: ['WRONG_PASSWORD', 'NO_PASSWORD_SET', 'TOO_MANY_LOGIN_ATTEMPTS'],
    example: {
      input: { currentPassword: cast.owner.password, newPassword: 'another battery staple' },
      output: { ended: 1 },
    },
  }),

  /**
   * Requests a mail with a link that sets a new password. The response is the same for every address; a known address
   * gets up to 3 mails an hour. The link works once, for 60 minutes, and a new one replaces it.
   */
  forgotPassword: route('POST /auth/password/forgot', {
    summary: 'Request a link that sets a new password',
    access: open,
    body: z.object({ email }),
    status: 202,
    response: ok({}),
    errors: ['RATE_LIMIT'],
    example: { input: { email: cast.owner.email }, output: {} },
  }),

  /**
   * Sets a new password by the link of a mail, confirms the address, and ends all sessions and AI connections of the
   * person. Two-step sign-in stays on. It does not sign in. Fails with INVALID_LINK for a link that is unknown, expired
   * or used.
   */
  resetPassword: route('POST /auth/password/reset', {
    summary: 'Set a new password by a link',
    access: open,
    body: z.object({
      token: linkToken.describe('The text after #reset= in the link.'),
      password: newPassword.describe('10 to 200 characters; not your e-mail address or your name.'),
    }),
    response: ok({}),
    errors: ['INVALID_LINK', 'RATE_LIMIT'],
    example: { input: { token: example.linkToken, password: 'another battery staple' }, output: {} },
  }),

  /** Mails you a link that confirms your e-mail address. Fails with RATE_LIMIT past 3 mails an hour. */
  sendVerification: route('POST /auth/email/send', {
    summary: 'Request a link that confirms your e-mail address',
    access: { keys: 'none', withoutTwoFactor: true },
    status: 202,
    response: ok({}),
    errors: ['RATE_LIMIT'],
    example: { output: {} },
  }),

  /** Confirms an e-mail address by the link of a mail, which works once, for 24 hours. Fails with INVALID_LINK. */
  verifyEmail: route('POST /auth/email/verify', {
    summary: 'Confirm an e-mail address by a link',
    access: open,
    body: z.object({ token: linkToken.describe('The text after #verify= in the link.') }),
    response: ok({}),
    errors: ['INVALID_LINK', 'RATE_LIMIT'],
    example: { input: { token: example.linkToken }, output: {} },
  }),
}
