import * as cast from './cast.ts'
import * as people from './cast-people.ts'
import type { Outputs } from './examples.ts'
import { ofAiClients, ofAiRequests } from './outputs-ai-clients.ts'

const success = true
const at = '2030-01-01T09:00:00.000Z'
const later = '2030-01-31T09:00:00.000Z'
const { organization, owner } = cast
const own = { id: organization.id, name: organization.name }
const session = (of: { id: string; name: string }, memberRole: 'owner' | 'member') => ({
  success: true as const,
  twoFactorRequired: false as const,
  token: people.challenge,
  expiresAt: later,
  recoveryCodesLeft: null,
  user: { id: owner.id, name: owner.name, email: owner.email, memberRole, organization: of },
})
const member = {
  ...people.member,
  role: 'member' as const,
  joinedAt: at,
  lastSeenAt: at,
  twoFactorEnabled: false,
}
const codes = { success, recoveryCodes: people.recoveryCodes, warning: people.warning } as const
const organizationRecord = {
  success,
  organization: {
    ...own,
    createdAt: at,
    owner: { id: owner.id, name: owner.name, email: owner.email },
    members: 2,
    memberLimit: 50,
    requireTwoFactor: false,
    products: [{ product: 'notify', state: 'active', since: at }],
    trialEndsAt: null,
    trial: null,
    numbers: { included: 3, extra: 0, extraExpiresAt: null, used: 2 },
    ai: { limitUsd: 10, usedUsd: 0.42, renewsAt: '2026-12-01T00:00:00.000Z' },
  },
} as const

/** Example responses of the routes for people and organizations. */
export const ofPeople = {
  auth: {
    signUp: session(own, 'owner'),
    signIn: session(own, 'owner'),
    signOut: { success },
    consoleCode: { success, code: people.linkToken, expiresAt: at },
    welcome: session(own, 'owner'),
    changePassword: { success, ended: 1 },
    sessions: {
      success,
      sessions: [
        {
          id: people.sessionId,
          organization: own,
          createdAt: at,
          lastUsedAt: at,
          expiresAt: later,
          ip: '203.0.113.7',
          client: 'Firefox on Linux',
          current: true,
        },
      ],
    },
    endSession: { success, ended: 1 },
    endSessions: { success, ended: 2 },
    switchOrganization: session(people.secondOrganization, 'member'),
    invitation: {
      success,
      organizationName: organization.name,
      email: people.member.email,
      role: 'member',
      invitedBy: owner.name,
      expiresAt: people.invitation.expiresAt,
      registered: false,
    },
    join: session(own, 'member'),
    secondStep: { ...session(own, 'owner'), recoveryCodesLeft: 10 },
    twoFactor: { success, enabled: true, enabledAt: at, recoveryCodesLeft: 10, requiredBy: [organization.name] },
    setUpTwoFactor: {
      success,
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      otpauthUrl: 'otpauth://totp/Msgctl:jane%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Msgctl',
      image: 'data:image/png;base64,iVBORw0KGgo=',
      expiresAt: at,
    },
    enableTwoFactor: codes,
    disableTwoFactor: { success },
    newRecoveryCodes: codes,
    forgotPassword: { success },
    resetPassword: { success },
    sendVerification: { success },
    verifyEmail: { success },
    deleteAccount: { success },
  },
  organization: {
    list: {
      success,
      organizations: [{ ...own, memberRole: 'owner', requireTwoFactor: false, current: true }],
    },
    create: session(people.secondOrganization, 'owner'),
    get: organizationRecord,
    update: organizationRecord,
    transfer: organizationRecord,
    delete: { success, erasedAfter: later },
  },
  team: {
    list: { success, members: [member], invitations: [people.invitation], limit: 50 },
    invite: { success, invitation: people.invitation },
    resendInvitation: { success, invitation: people.invitation },
    cancelInvitation: { success },
    acceptInvitation: { success, organization: own, role: 'member' },
    changeRole: { success, member: { ...member, role: 'admin' } },
    remove: { success },
    leave: { success },
  },
  activity: {
    list: {
      success,
      entries: [
        {
          id: '1042',
          at,
          actor: { kind: 'user', id: owner.id, name: owner.name },
          action: 'member.removed',
          subject: people.member.id,
          details: { email: people.member.email, role: 'member' },
          ip: '203.0.113.7',
        },
      ],
      nextCursor: null,
    },
  },
  mcp: ofAiClients,
  oauth: ofAiRequests,
} as const satisfies Outputs
