import * as z from 'zod'
import { products } from '../../access.ts'
import * as cast from '../../examples/cast.ts'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { text, unique, uuid } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { email, newPassword, password } from '../../model/person-fields.ts'
import { session, signedIn, twoFactorCode } from '../../model/sign-in.ts'
import { route } from '../../route.ts'
import { consoleRoutes } from './console.ts'
import { deletionRoutes } from './deletion.ts'
import { joiningRoutes } from './joining.ts'
import { passwordRoutes } from './passwords.ts'
import { sessionListRoutes } from './sessions.ts'
import { twoFactorRoutes } from './two-factor.ts'

const open = { keys: 'public' } as const
const sessionRoutes = {
  /**
   * Creates a person and an organization, and starts its 7-day trial with the chosen products (default: all
   * products). Fails with SIGNUP_DISABLED when sign-up is closed, CONFLICT for a known e-mail address, and RATE_LIMIT
   * past the hourly limit. A person who is in no organization any more founds one with their own password, and their
   * code when two steps are on; it has no second trial.
   */
  signUp: route('POST /auth/sign-up', {
    summary: 'Sign up',
    access: open,
    body: z.object({
      name: text(1, limits.personName).describe('Your name.'),
      email,
      password: newPassword.describe('10 to 200 characters; not your e-mail address or a name.'),
      organizationName: text(1, limits.organizationName).describe('Name of your organization.'),
      products: unique(z.array(z.enum(products)).min(1).max(products.length))
        .optional()
        .describe('Products to try (default: all).'),
      code: twoFactorCode.optional(),
    }),
    status: 201,
    response: session,
    errors: [
      'SIGNUP_DISABLED',
      'CONFLICT',
      'RATE_LIMIT',
      'TOO_MANY_LOGIN_ATTEMPTS',
      'TWO_FACTOR_CODE_INVALID',
      'SECRETS_KEY_MISSING',
    ],
    secret: true,
    example: {
      input: {
        name: cast.owner.name,
        email: cast.owner.email,
        password: cast.owner.password,
        organizationName: cast.organization.name,
      },
      output: example.session(example.ownOrganization, 'owner'),
    },
  }),

  /**
   * Signs a person in. An unknown e-mail and a wrong password both fail with AUTH_ERROR. More than 20 attempts from one
   * address in 15 minutes fail with RATE_LIMIT. 10 wrong passwords lock the e-mail for 15 minutes with
   * TOO_MANY_LOGIN_ATTEMPTS. With two-step sign-in the response is a challenge for POST /auth/two-factor.
   */
  signIn: route('POST /auth/sign-in', {
    summary: 'Sign in',
    access: open,
    body: z.object({
      email,
      password: password.describe('The password.'),
      organizationId: uuid
        .optional()
        .describe('Which of your organizations (default: that of the last session, else the one joined first).'),
    }),
    response: signedIn,
    errors: ['AUTH_ERROR', 'ACCOUNT_DEACTIVATED', 'RATE_LIMIT', 'TOO_MANY_LOGIN_ATTEMPTS'],
    secret: true,
    example: {
      input: { email: cast.owner.email, password: cast.owner.password },
      output: example.session(example.ownOrganization, 'owner'),
    },
    msgctl: `msgctl login --email ${cast.owner.email}`,
  }),

  /** Ends the session of the token that makes the call. */
  signOut: route('POST /auth/sign-out', {
    summary: 'Sign out',
    access: { keys: 'none', withoutTwoFactor: true },
    response: ok({}),
    example: { output: {} },
    msgctl: 'msgctl logout',
  }),
}

type Auth = typeof sessionRoutes &
  typeof consoleRoutes &
  typeof joiningRoutes &
  typeof twoFactorRoutes &
  typeof sessionListRoutes &
  typeof passwordRoutes &
  typeof deletionRoutes

/** Sign-up, sign-in, and everything about the account of a person. */
export const auth: Auth = {
  ...sessionRoutes,
  ...consoleRoutes,
  ...joiningRoutes,
  ...twoFactorRoutes,
  ...sessionListRoutes,
  ...passwordRoutes,
  ...deletionRoutes,
}
