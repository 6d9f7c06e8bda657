import * as z from 'zod'
import { roles } from '../access.ts'
import { named, ok } from './envelope.ts'
import { at, count } from './fields.ts'

/** A session that began: the response of everything that signs in. */
export const session = ok({
  twoFactorRequired: z.literal(false).describe('The sign-in is complete.'),
  token: z.string().describe('Send it as Authorization: Bearer. It is shown only once.'),
  expiresAt: at('When it stops working at the latest.'),
  recoveryCodesLeft: count('Recovery codes that are left.')
    .nullable()
    .describe('Recovery codes that are left; null without two-step sign-in.'),
  user: named('SignedInUser', 'Who is signed in.', {
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
  }),
}).meta({ id: 'SignedIn', description: 'The token of a signed-in user.' })

/** The first step of a sign-in with two. */
const challenge = ok({
  twoFactorRequired: z.literal(true).describe('The second step is missing: POST /auth/two-factor.'),
  challenge: z.string().describe('The half-finished sign-in. It opens nothing but the second step.'),
  expiresAt: at('When the challenge expires.'),
}).meta({ id: 'SignInChallenge', description: 'A sign-in that waits for its second step.' })

/** The response to a right password: a session, or a challenge when two steps are on. */
export const signedIn = z.union([session, challenge])

/** The six digits of an authenticator. */
export const twoFactorCode = z
  .string()
  .max(10)
  .regex(/^\d{6}$/, 'must be 6 digits')
  .describe('The 6 digits that the authenticator shows.')

/** A recovery code; case, spaces and dashes do not matter. */
export const recoveryCode = z
  .string()
  .max(40)
  .regex(/^[A-Za-z2-7 -]{16,40}$/, 'must be a recovery code like abcd-efgh-ijkl-mnop')
  .describe('One of the recovery codes. It works once.')
