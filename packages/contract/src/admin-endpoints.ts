/**
 * The endpoints for people, their organizations and their assistants by name. They are a table of their own, so that
 * programs that only send do not carry them. Clients include this table at run time, so it imports nothing but the
 * table of assistants and a type.
 */
import { assistantEndpoints } from './assistant-endpoints.ts'
import type { endpoints } from './endpoints.ts'

export const adminEndpoints = {
  auth: {
    signUp: 'POST /auth/sign-up',
    signIn: 'POST /auth/sign-in',
    signOut: 'POST /auth/sign-out',
    consoleCode: 'POST /auth/console-code',
    welcome: 'POST /auth/welcome',
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
    deleteAccount: 'POST /auth/account/delete',
  },
  organization: {
    list: 'GET /organizations',
    create: 'POST /organizations',
    get: 'GET /organization',
    update: 'PUT /organization',
    transfer: 'POST /organization/transfer',
    delete: 'POST /organization/delete',
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
  mcp: {
    connections: 'GET /mcp/connections',
    updateConnection: 'PUT /mcp/connections/:connectionId',
    endConnection: 'DELETE /mcp/connections/:connectionId',
    actions: 'GET /mcp/actions',
    action: 'GET /mcp/actions/:actionId',
    approve: 'POST /mcp/actions/:actionId/approve',
    deny: 'POST /mcp/actions/:actionId/deny',
    calls: 'GET /mcp/calls',
    settings: 'GET /mcp/settings',
    setSettings: 'PUT /mcp/settings',
  },
  oauth: {
    request: 'GET /oauth/requests/:requestId',
    approve: 'POST /oauth/requests/:requestId/approve',
    deny: 'POST /oauth/requests/:requestId/deny',
  },
  ...assistantEndpoints,
} as const

/** The type of both tables: resource, name, then `METHOD /path`. */
export type Endpoints = typeof endpoints & typeof adminEndpoints
