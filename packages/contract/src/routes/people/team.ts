import * as z from 'zod'
import { roles } from '../../access.ts'
import * as example from '../../examples/people.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, atOrNull, count, uuid } from '../../model/fields.ts'
import { email, linkToken } from '../../model/person-fields.ts'
import { route } from '../../route.ts'

const admins = { keys: 'none', roles: ['owner', 'admin'] } as const
const givenRole = z.enum(['admin', 'member'])

const member = named('Member', 'A member of the team.', {
  id: z.uuid().describe('The person.'),
  name: z.string().describe('Name of the person.'),
  email: z.string().describe('E-mail address of the person.'),
  role: z.enum(roles).describe('Role in the organization.'),
  joinedAt: at('When the person joined.'),
  lastSeenAt: atOrNull('When the person last used the organization.'),
  twoFactorEnabled: z.boolean().describe('Whether the person signs in with two steps.'),
})

const invitation = named('Invitation', 'An open invitation.', {
  id: z.uuid().describe('The invitation.'),
  email: z.string().describe('The address that was invited.'),
  role: givenRole.describe('The role that the person will have.'),
  createdAt: at('When it was made.'),
  expiresAt: at('When it stops working.'),
})

const invited = ok({
  invitation,
  link: z.string().optional().describe('The link, only when the server sends no mail. It is shown only once.'),
})
const invitationParams = z.object({ invitationId: uuid.describe('The invitation.') })
const memberParams = z.object({ userId: uuid.describe('The person.') })

export const team = {
  /** Lists the members of the team, the owner first. Owners and admins also see the open invitations. */
  list: route('GET /team', {
    summary: 'List the team',
    access: { keys: 'none' },
    response: ok({
      members: z.array(member).describe('The members.'),
      invitations: z.array(invitation).describe('Open invitations; empty for members.'),
      limit: count('Members and open invitations allowed together.'),
    }),
    example: { output: { members: [example.memberRecord], invitations: [example.invitation], limit: 50 } },
  }),

  /**
   * Invites a person by mail, for 7 days. A second invitation of an address replaces the first. Members and open
   * invitations are 50 at most (TEAM_FULL). Only the owner may invite an admin (NOT_OWNER).
   */
  invite: route('POST /team/invitations', {
    summary: 'Invite a person to the team',
    access: admins,
    body: z.object({ email, role: givenRole.describe('The role that the person will have.') }),
    status: 201,
    response: invited,
    errors: ['ALREADY_MEMBER', 'TEAM_FULL', 'NOT_OWNER', 'RATE_LIMIT'],
    secret: true,
    example: { input: { email: example.member.email, role: 'member' }, output: { invitation: example.invitation } },
  }),

  /** Mails an invitation again with a new link, for 7 days. The old link stops working. */
  resendInvitation: route('POST /team/invitations/:invitationId/resend', {
    summary: 'Send an invitation again',
    access: admins,
    params: invitationParams,
    response: invited,
    errors: ['NOT_FOUND', 'NOT_OWNER', 'RATE_LIMIT'],
    secret: true,
    example: { input: { invitationId: example.invitation.id }, output: { invitation: example.invitation } },
  }),

  /** Cancels an open invitation. */
  cancelInvitation: route('DELETE /team/invitations/:invitationId', {
    summary: 'Cancel an invitation',
    access: admins,
    params: invitationParams,
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { invitationId: example.invitation.id }, output: {} },
  }),

  /**
   * Accepts an invitation as the signed-in person. It must be for your address (INVITE_EMAIL_MISMATCH). An invitation
   * that expired, was cancelled or was used fails with INVITE_INVALID.
   */
  acceptInvitation: route('POST /team/invitations/accept', {
    summary: 'Accept an invitation',
    access: { keys: 'none', withoutTwoFactor: true },
    body: z.object({ token: linkToken.describe('The text after #join= in the link.') }),
    response: ok({
      organization: z
        .object({
          id: z.uuid().describe('The organization.'),
          name: z.string().describe('Name of the organization.'),
        })
        .describe('The organization that you joined.'),
      role: givenRole.describe('Your role in it.'),
    }),
    errors: ['INVITE_INVALID', 'INVITE_EMAIL_MISMATCH', 'ALREADY_MEMBER', 'TEAM_FULL'],
    example: { input: { token: example.linkToken }, output: { organization: example.ownOrganization, role: 'member' } },
  }),

  /** Makes a member an admin, or an admin a member. For the owner only. The owner stays owner (OWNER_ROLE_FIXED). */
  changeRole: route('PUT /team/members/:userId', {
    summary: 'Change the role of a member',
    access: { keys: 'none', owner: true },
    params: memberParams,
    body: z.object({ role: givenRole.describe('The new role.') }),
    response: ok({ member }),
    errors: ['OWNER_ROLE_FIXED', 'NOT_FOUND'],
    example: {
      input: { userId: example.member.id, role: 'admin' },
      output: { member: { ...example.memberRecord, role: 'admin' } },
    },
  }),

  /**
   * Removes a member, whose sessions of the organization end at once. Only the owner may remove an admin (NOT_OWNER).
   * To remove yourself fails with USE_LEAVE.
   */
  remove: route('DELETE /team/members/:userId', {
    summary: 'Remove a member',
    access: admins,
    params: memberParams,
    response: ok({}),
    errors: ['USE_LEAVE', 'CANNOT_REMOVE_OWNER', 'NOT_OWNER', 'NOT_FOUND'],
    example: { input: { userId: example.member.id }, output: {} },
  }),

  /**
   * Leaves the organization; your sessions of it end. The owner cannot leave, and a person cannot leave their only
   * organization.
   */
  leave: route('POST /team/leave', {
    summary: 'Leave the organization',
    access: { keys: 'none', withoutTwoFactor: true },
    response: ok({}),
    errors: ['OWNER_CANNOT_LEAVE', 'LAST_ORGANIZATION'],
    example: { output: {} },
  }),
}
