import * as z from 'zod'
import { availableProducts, roles } from '../access.ts'
import { adminEndpoints as endpoints } from '../admin-endpoints.ts'
import { ok } from '../model/envelope.ts'
import { at, count, text, unique } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'

const open = { keys: 'public' } as const
const password = text(limits.password.min, limits.password.max)
const product = z.enum(availableProducts, {
  error: `must be one of ${availableProducts.join(', ')}; Assistant and Shop are not available yet`,
})
const email = z
  .string()
  .max(limits.email)
  .overwrite((address) => address.trim().toLowerCase())
  .pipe(z.email())
  .meta({ format: 'email' })
  .describe('E-mail address, up to 254 characters; case does not matter.')

const signedIn = ok({
  token: z.string().describe('Send it as Authorization: Bearer. It is shown only once.'),
  expiresAt: at('When it stops working at the latest.'),
  user: z
    .object({
      id: z.uuid().describe('The person.'),
      name: z.string().describe('Name of the person.'),
      email: z.string().describe('E-mail address of the person.'),
      memberRole: z.enum(roles).describe('Role in the organization.'),
      organization: z
        .object({
          id: z.uuid().describe('The organization.'),
          name: z.string().describe('Name of the organization.'),
        })
        .describe('The organization.'),
    })
    .meta({ id: 'SignedInUser', description: 'Who is signed in.' }),
}).meta({ id: 'SignedIn', description: 'The token of a signed-in user.' })

export const auth = {
  /**
   * Creates a person and an organization, and starts its 7-day trial with the chosen products (default: Notify, Developer
   * and Connect). Fails with SIGNUP_DISABLED when sign-up is closed, CONFLICT for a known e-mail address, and RATE_LIMIT
   * past the hourly limit.
   */
  signUp: route(endpoints.auth.signUp, {
    summary: 'Sign up',
    access: open,
    body: z.object({
      name: text(1, limits.personName).describe('Your name.'),
      email,
      password: password.describe('10 to 200 characters.'),
      organizationName: text(1, limits.organizationName).describe('Name of your organization.'),
      products: unique(z.array(product).min(1).max(availableProducts.length))
        .optional()
        .describe('Products to try. Assistant and Shop are not available yet. Default: all that are.'),
    }),
    status: 201,
    response: signedIn,
    errors: ['SIGNUP_DISABLED', 'CONFLICT', 'RATE_LIMIT'],
    secret: true,
  }),

  /**
   * Signs a person in. An unknown e-mail and a wrong password both fail with AUTH_ERROR. More than 20 attempts from one
   * address in 15 minutes fail with RATE_LIMIT. 10 wrong passwords lock the e-mail for 15 minutes with
   * TOO_MANY_LOGIN_ATTEMPTS.
   */
  signIn: route(endpoints.auth.signIn, {
    summary: 'Sign in',
    access: open,
    body: z.object({
      email,
      password: text(1, limits.password.max).describe('The password.'),
    }),
    status: 200,
    response: signedIn,
    errors: ['AUTH_ERROR', 'ACCOUNT_DEACTIVATED', 'RATE_LIMIT', 'TOO_MANY_LOGIN_ATTEMPTS'],
    secret: true,
  }),

  /** Ends the session of the token that makes the call. */
  signOut: route(endpoints.auth.signOut, {
    summary: 'Sign out',
    access: { keys: 'none' },
    status: 200,
    response: ok({}),
    errors: [],
  }),

  /**
   * Changes your own password and ends all your other sessions. A wrong current password fails with WRONG_PASSWORD and
   * counts like one at sign-in: after 10 the e-mail is locked for 15 minutes with TOO_MANY_LOGIN_ATTEMPTS.
   */
  changePassword: route(endpoints.auth.changePassword, {
    summary: 'Change your password',
    access: { keys: 'none' },
    body: z.object({
      currentPassword: text(1, limits.password.max).describe('The password until now.'),
      newPassword: password.describe(
        '10 to 200 characters; not your e-mail address, your name or that of the organization.',
      ),
    }),
    status: 200,
    response: ok({ ended: count('Other sessions that were ended.') }),
    errors: ['WRONG_PASSWORD', 'TOO_MANY_LOGIN_ATTEMPTS'],
  }),
} satisfies Covers<typeof endpoints.auth>
