import * as cast from './cast.ts'

/** What the examples about accounts and teams share. */
export const at = '2030-01-01T09:00:00.000Z'
export const later = '2030-01-31T09:00:00.000Z'

const id = (tail: string) => `0190b1a1-0c2d-7b3e-8f44-5a6b7c8d${tail}`

export const member = { id: id('a001'), name: 'John Roe', email: 'john@example.com' }
export const memberRecord = {
  ...member,
  role: 'member',
  joinedAt: at,
  lastSeenAt: at,
  twoFactorEnabled: false,
} as const
export const invitation = {
  id: id('a002'),
  email: member.email,
  role: 'member',
  createdAt: at,
  expiresAt: '2030-01-08T09:00:00.000Z',
} as const
export const secondOrganization = { id: id('a003'), name: 'Example Outlet' }
export const sessionId = id('a004')
export const linkToken = 'nYk3yqkS0dKc1cGmQmM8w7x5l2m6P1mJ6m0m6m1Jr9E'
export const challenge = 'b7Qw2nEr5tYu8iOp1aSd4fGh7jKl0zXc3vBn6mQw9eR'
export const authenticatorCode = '287082'
export const recoveryCodes = {
  recoveryCodes: Array.from({ length: 10 }, (_, n) => `abcd-efgh-ijkl-mn${'abcdefghij'[n]}2`),
  warning: 'Store these codes now, apart from your password. Each works once, and they are not shown again.',
} as const

export const ownOrganization = { id: cast.organization.id, name: cast.organization.name } as const
export const organizationRecord = {
  organization: {
    ...ownOrganization,
    createdAt: at,
    owner: { id: cast.owner.id, name: cast.owner.name, email: cast.owner.email },
    country: null,
    countryLocked: false,
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

/** Returns the response to a sign-in to an organization. */
export const session = (organization: { id: string; name: string }, memberRole: 'owner' | 'member') =>
  ({
    twoFactorRequired: false,
    token: challenge,
    expiresAt: later,
    recoveryCodesLeft: null,
    user: { id: cast.owner.id, name: cast.owner.name, email: cast.owner.email, memberRole, organization },
  }) as const
