import type { Access, Product } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import type { Caller } from '#api/http/handler.ts'
import type { ApiError } from '#platform/errors.ts'
import type { Identity } from './authenticate.ts'
import { authorize } from './authorize.ts'

interface Facts {
  readonly kind?: Caller['kind']
  readonly role?: Caller['role']
  readonly products?: readonly Product[]
  readonly deactivated?: boolean
  readonly trialEnded?: boolean
  readonly platformAdmin?: boolean
  readonly twoFactorMade?: boolean
}

function identity({ kind = 'account_key', role = 'admin', products = [], ...facts }: Facts): Identity {
  const { deactivated, trialEnded, platformAdmin = false, twoFactorMade = false } = facts
  return {
    platformAdmin,
    twoFactorMade,
    deactivated: deactivated ?? false,
    trialEnded: trialEnded ?? false,
    caller: {
      kind,
      role,
      products: new Set(products),
      organizationId: 'o',
      containerId: null,
      userId: null,
      trial: false,
      credential: 'account',
      credentialHash: Buffer.alloc(32),
    },
  }
}

function refusal(access: Access, facts: Facts): Pick<ApiError, 'code' | 'details'> {
  try {
    authorize(access, identity(facts))
  } catch (error) {
    return { code: (error as ApiError).code, details: (error as ApiError).details }
  }
  throw new Error('the caller was let in')
}

const member = { kind: 'user', role: 'member' } as const

describe('the gate of a route', () => {
  it.each<[string, Access, Facts]>([
    ["a number's key where any key will do", { keys: 'any' }, { kind: 'number_key' }],
    ['an account key where accounts may call', { keys: 'account' }, {}],
    ['a person where accounts may call', { keys: 'account' }, member],
    ['a person where only people may call', { keys: 'none' }, member],
    ['an account key as an admin', { keys: 'account', roles: ['owner', 'admin'] }, {}],
    ['every organization where no feature is asked for', { keys: 'account' }, {}],
    ['a key with one product of the feature', { keys: 'any', feature: 'batch' }, { products: ['connect'] }],
    ['a person with Notify to campaigns', { keys: 'any', feature: 'campaigns' }, { ...member, products: ['notify'] }],
    [
      'a key with Notify and Connect to campaigns',
      { keys: 'any', feature: 'campaigns' },
      { products: ['notify', 'connect'] },
    ],
  ])('lets %s in', (_who, access, facts) => {
    expect(() => authorize(access, identity(facts))).not.toThrow()
  })

  it.each<[string, Access, Facts, object]>([
    ['a deactivated organization', { keys: 'any' }, { deactivated: true }, { code: 'ACCOUNT_DEACTIVATED' }],
    [
      "a number's key on a route of the account",
      { keys: 'account' },
      { kind: 'number_key' },
      { code: 'NUMBER_KEY_SCOPE' },
    ],
    [
      "a number's key where only people may call",
      { keys: 'none' },
      { kind: 'number_key' },
      { code: 'NUMBER_KEY_SCOPE' },
    ],
    ['an account key where only people may call', { keys: 'none' }, {}, { code: 'USER_REQUIRED' }],
    [
      'a member where a role is asked for',
      { keys: 'account', roles: ['owner', 'admin'] },
      member,
      { code: 'ROLE_FORBIDDEN', details: { roles: ['owner', 'admin'] } },
    ],
    [
      'an organization without any active product',
      { keys: 'any', feature: 'otp' },
      {},
      { code: 'NO_ACTIVE_PRODUCT', details: { products: ['developer'] } },
    ],
    [
      'a product without the feature',
      { keys: 'any', feature: 'otp' },
      { products: ['notify'] },
      { code: 'PRODUCT_REQUIRED', details: { products: ['developer'] } },
    ],
    [
      'an organization whose trial has ended',
      { keys: 'any', feature: 'inbox' },
      { trialEnded: true },
      { code: 'PRODUCT_REQUIRED', details: { products: ['connect'] } },
    ],
    [
      'a key with Notify alone from campaigns',
      { keys: 'any', feature: 'campaigns' },
      { products: ['notify'] },
      { code: 'PRODUCT_REQUIRED', details: { products: ['developer', 'connect'] } },
    ],
  ])('keeps out %s', (_who, access, facts, expected) => {
    expect(refusal(access, facts)).toMatchObject(expected)
  })

  const staff = { kind: 'user', role: 'admin', platformAdmin: true } as const
  const platform: Access = { keys: 'none', platform: true, roles: ['owner', 'admin'] }

  it('lets staff who made two steps reach the administration of the platform', () => {
    expect(() => authorize(platform, identity({ ...staff, twoFactorMade: true }))).not.toThrow()
  })

  it.each<[string, Facts]>([
    ['ACCOUNT_DEACTIVATED', { ...staff, deactivated: true, twoFactorMade: true }],
    ['NUMBER_KEY_SCOPE', { kind: 'number_key' }],
    ['USER_REQUIRED', { kind: 'account_key', platformAdmin: true }],
    ['ADMIN_ONLY', { kind: 'user', role: 'member' }],
    ['ADMIN_ONLY', { kind: 'user', role: 'owner', twoFactorMade: true }],
    ['ROLE_FORBIDDEN', { ...staff, role: 'member' }],
    ['TWO_FACTOR_REQUIRED', staff],
  ])('keeps others out of the administration with %s', (code, facts) => {
    expect(refusal(platform, facts).code).toBe(code)
  })

  it.each<[string, Facts]>([
    ['ACCOUNT_DEACTIVATED', { deactivated: true, kind: 'number_key' }],
    ['NUMBER_KEY_SCOPE', { kind: 'number_key', role: 'member' }],
    ['USER_REQUIRED', { kind: 'account_key', role: 'member' }],
    ['ROLE_FORBIDDEN', { ...member }],
    ['NO_ACTIVE_PRODUCT', { kind: 'user', role: 'owner' }],
    ['PRODUCT_REQUIRED', { kind: 'user', role: 'owner', products: ['notify'] }],
  ])('reports %s before the reasons that rank below it', (code, facts) => {
    expect(refusal({ keys: 'none', roles: ['owner'], feature: 'otp' }, facts).code).toBe(code)
  })
})
