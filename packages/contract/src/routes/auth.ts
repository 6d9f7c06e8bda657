import * as z from 'zod'
import { products, roles } from '../access.ts'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { at, text, unique } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'

const open = { keys: 'public' } as const
const email = z
  .string()
  .max(limits.email)
  .overwrite((address) => address.trim().toLowerCase())
  .pipe(z.email())
  .meta({ format: 'email' })
  .describe('E-mail address, up to 254 characters; case does not matter.')

const signedIn = ok({
  token: z.string().describe('Send it as Authorization: Bearer. It is shown this once only.'),
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
    .describe('Who is signed in.'),
})

export const auth = {
  /**
   * Creates a person and an organization, and starts its 7-day trial with the chosen products (all five by default).
   * SIGNUP_DISABLED when sign-up is closed, CONFLICT for a known e-mail address, RATE_LIMIT past the hourly limit.
   */
  signUp: route(endpoints.auth.signUp, {
    summary: 'Sign up',
    access: open,
    body: z.object({
      name: text(1, limits.personName).describe('Your name.'),
      email,
      password: text(limits.password.min, limits.password.max).describe('10 to 200 characters.'),
      organizationName: text(1, limits.organizationName).describe('Name of your organization.'),
      products: unique(z.array(z.enum(products)).min(1).max(products.length))
        .optional()
        .describe('Products to try. Default: all.'),
    }),
    status: 201,
    response: signedIn,
    errors: ['SIGNUP_DISABLED', 'CONFLICT', 'RATE_LIMIT'],
    secret: true,
  }),

  /**
   * Signs a person in. An unknown e-mail and a wrong password answer the same AUTH_ERROR. 20 attempts in 15 minutes from
   * one address: RATE_LIMIT; 10 wrong passwords lock the e-mail for 15 minutes: TOO_MANY_LOGIN_ATTEMPTS.
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
} satisfies Covers<typeof endpoints.auth>
