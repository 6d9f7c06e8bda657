/**
 * The endpoints for people and their organizations by name. They are a table of their own, so that programs that only send
 * do not carry them. Clients include this table at run time, so it imports nothing but a type.
 */
import type { endpoints } from './endpoints.ts'

export const adminEndpoints = {
  auth: {
    signUp: 'POST /auth/sign-up',
    signIn: 'POST /auth/sign-in',
    signOut: 'POST /auth/sign-out',
    switchOrganization: 'POST /auth/switch',
    invitation: 'POST /auth/invitation',
    join: 'POST /auth/join',
    secondStep: 'POST /auth/two-factor',
    twoFactor: 'GET /auth/two-factor',
    setUpTwoFactor: 'POST /auth/two-factor/setup',
    enableTwoFactor: 'POST /auth/two-factor/enable',
    disableTwoFactor: 'POST /auth/two-factor/disable',
    newRecoveryCodes: 'POST /auth/two-factor/recovery-codes',
    sessions: 'GET /auth/sessions',
    endSession: 'DELETE /auth/sessions/:sessionId',
    endSessions: 'DELETE /auth/sessions',
    changePassword: 'PUT /auth/password',
    forgotPassword: 'POST /auth/password/forgot',
    resetPassword: 'POST /auth/password/reset',
    sendVerification: 'POST /auth/email/send',
    verifyEmail: 'POST /auth/email/verify',
  },
  organization: {
    list: 'GET /organizations',
    create: 'POST /organizations',
    get: 'GET /organization',
    update: 'PUT /organization',
    transfer: 'POST /organization/transfer',
  },
  team: {
    list: 'GET /team',
    invite: 'POST /team/invitations',
    resendInvitation: 'POST /team/invitations/:invitationId/resend',
    cancelInvitation: 'DELETE /team/invitations/:invitationId',
    acceptInvitation: 'POST /team/invitations/accept',
    changeRole: 'PUT /team/members/:userId',
    remove: 'DELETE /team/members/:userId',
    leave: 'POST /team/leave',
  },
  activity: {
    list: 'GET /activity',
  },
} as const

/** The type of both tables: resource, name, then `METHOD /path`. */
export type Endpoints = typeof endpoints & typeof adminEndpoints
