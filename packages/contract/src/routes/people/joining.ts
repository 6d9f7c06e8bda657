import * as z from 'zod'
import * as cast from '../../examples/cast.ts'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { at, text, uuid } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { linkToken, password } from '../../model/person-fields.ts'
import { session, signedIn } from '../../model/sign-in.ts'
import { route } from '../../route.ts'

const open = { keys: 'public' } as const
const token = linkToken.describe('The text after #join= in the link.')

/** Invitations as their receiver uses them, and the change between organizations. */
export const joiningRoutes = {
  /** Ends this session and starts one for another of your organizations. */
  switchOrganization: route('POST /auth/switch', {
    summary: 'Switch to another of your organizations',
    access: { keys: 'none', withoutTwoFactor: true },
    body: z.object({ organizationId: uuid.describe('The organization.') }),
    response: session,
    errors: ['NOT_FOUND'],
    secret: true,
    example: {
      input: { organizationId: example.secondOrganization.id },
      output: example.session(example.secondOrganization, 'member'),
    },
  }),

  /** Returns what an invitation is for. One that expired, was cancelled or was used fails with INVITE_INVALID. */
  invitation: route('POST /auth/invitation', {
    summary: 'Read an invitation',
    access: open,
    body: z.object({ token }),
    response: ok({
      organizationName: z.string().describe('Name of the organization.'),
      email: z.string().describe('The address that was invited.'),
      role: z.enum(['admin', 'member']).describe('The role that you will have.'),
      invitedBy: z.string().describe('Name of the person who invites.'),
      expiresAt: at('When the invitation stops working.'),
      registered: z.boolean().describe('Whether the address has an account, whose password joins.'),
    }),
    errors: ['INVITE_INVALID', 'RATE_LIMIT'],
    // The token of an invitation must not stand in an address.
    reads: true,
    example: {
      input: { token: example.linkToken },
      output: {
        organizationName: cast.organization.name,
        email: example.member.email,
        role: 'member',
        invitedBy: cast.owner.name,
        expiresAt: example.invitation.expiresAt,
        registered: false,
      },
    },
  }),

  /**
   * Joins an organization by an invitation and signs in. A confirmed account gives its password; with two-step sign-in
   * it joins when it completes the challenge. Anyone else sets a name and a password: the link of the mail has just
   * proved the address, so earlier sessions of it end.
   */
  join: route('POST /auth/join', {
    summary: 'Join an organization by an invitation',
    access: open,
    body: z.object({
      token,
      password: password.describe('The password of the account; a new one has 10 to 200 characters.'),
      name: text(1, limits.personName).optional().describe('Your name, required for a new account.'),
    }),
    response: signedIn,
    errors: [
      'INVITE_INVALID',
      'TEAM_FULL',
      'ALREADY_MEMBER',
      'AUTH_ERROR',
      'ACCOUNT_DEACTIVATED',
      'RATE_LIMIT',
      'TOO_MANY_LOGIN_ATTEMPTS',
    ],
    secret: true,
    example: {
      input: { token: example.linkToken, name: example.member.name, password: 'correct horse battery staple' },
      output: example.session(example.ownOrganization, 'member'),
    },
  }),
}
