import { type ErrorCode, type Product, type Route, type Unlock, unlockedBy } from '@msgctl/contract'
import { activeProducts, type Credential, type Situation } from './people.ts'

/** How a call must be refused. */
export interface Refusal {
  readonly code: ErrorCode
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * What the specification's "Authentication" and the contract's table of access say about a call, in the decided order
 * of the checks; null when the caller may pass. It shares nothing with the edge, so that a slip there shows.
 */
export function expectedRefusal({ access }: Route, situation: Situation, credential: Credential): Refusal | null {
  const { keys, roles, feature } = access
  const byKey = credential === 'account key' || credential === 'number key'
  if (keys === 'public') return null
  if (situation.deactivated) return { code: 'ACCOUNT_DEACTIVATED' }
  // A key stands for no person, so keys keep working.
  if (situation.twoStepsMissing && !byKey && !access.withoutTwoFactor) return { code: 'TWO_FACTOR_REQUIRED' }
  if (credential === 'number key' && keys !== 'any') return { code: 'NUMBER_KEY_SCOPE' }
  if (byKey && keys === 'none') return { code: 'USER_REQUIRED' }
  if (access.platform && !situation.staff) return { code: 'ADMIN_ONLY' }
  if (roles && !roles.includes(byKey ? 'admin' : credential)) return { code: 'ROLE_FORBIDDEN', details: { roles } }
  if (access.platform && situation.staff !== 'with two steps') return { code: 'TWO_FACTOR_REQUIRED' }
  if (access.owner && credential !== 'owner') return { code: 'NOT_OWNER' }
  if (!feature) return null
  if (access.product && !activeProducts(situation).includes(access.product)) {
    const none = activeProducts(situation).length === 0 && situation.trial !== 'over'
    return { code: none ? 'NO_ACTIVE_PRODUCT' : 'PRODUCT_REQUIRED', details: { products: [access.product] } }
  }

  const { anyOf, apiKeyAlsoRequires = [] }: Unlock = unlockedBy[feature]
  const active = activeProducts(situation)
  const lacks = (some: readonly Product[]) => !some.some((product) => active.includes(product))
  const products = lacks(anyOf) ? anyOf : apiKeyAlsoRequires
  const open = !lacks(anyOf) && !(byKey && apiKeyAlsoRequires.length > 0 && lacks(apiKeyAlsoRequires))
  if (open) return null
  const nothing = active.length === 0 && situation.trial !== 'over'
  return { code: nothing ? 'NO_ACTIVE_PRODUCT' : 'PRODUCT_REQUIRED', details: { products } }
}
