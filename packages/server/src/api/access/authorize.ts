import { type Access, missingForRoute } from '@msgctl/contract'
import { apiError } from '#platform/errors.ts'
import type { Identity } from './authenticate.ts'

/** How long a move takes at least. */
const movingSeconds = 5

/**
 * Checks whether an authenticated caller may use a route. Throws the first that applies of ORGANIZATION_MOVED,
 * SERVICE_BUSY while the organization moves, ACCOUNT_DEACTIVATED, TWO_FACTOR_REQUIRED, NUMBER_KEY_SCOPE, USER_REQUIRED,
 * ADMIN_ONLY, ROLE_FORBIDDEN, TWO_FACTOR_REQUIRED of the operator's staff, NOT_OWNER, NO_ACTIVE_PRODUCT and
 * PRODUCT_REQUIRED.
 */
export function authorize(access: Access, identity: Identity): void {
  const { caller } = identity
  requireHere(identity)
  if (identity.deactivated) {
    throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
  }
  if (identity.twoFactorMissing && !access.withoutTwoFactor) {
    throw apiError(
      'TWO_FACTOR_REQUIRED',
      'This organization requires two-step sign-in. Turn it on for your account, or sign in again with it.',
    )
  }
  if (caller.kind === 'number_key' && access.keys !== 'any') {
    throw apiError('NUMBER_KEY_SCOPE', "A number's key works only for its own number. Use the account key here.")
  }
  if (access.keys === 'none' && caller.kind !== 'user') {
    throw apiError('USER_REQUIRED', 'Only a signed-in user may do this, not an API key.')
  }
  if (access.platform && !identity.platformAdmin) {
    throw apiError('ADMIN_ONLY', "Only the operator's staff may do this.")
  }
  if (access.roles && !access.roles.includes(caller.role)) {
    const roles = [...access.roles]
    throw apiError('ROLE_FORBIDDEN', `Your role is ${caller.role}; this takes ${roles.join(' or ')}.`, { roles })
  }
  if (access.platform && !identity.twoFactorMade) {
    throw apiError(
      'TWO_FACTOR_REQUIRED',
      "The operator's staff must sign in with two steps. Turn them on for your account, or sign in again with them.",
    )
  }
  if (access.owner && caller.role !== 'owner') {
    throw apiError('NOT_OWNER', 'Only the owner of the organization may do this.')
  }
  requireProduct(access, identity)
}

/** Refuses the calls of an organization that moves to another installation, or has moved there. */
function requireHere({ moving, movedTo }: Identity): void {
  if (typeof movedTo === 'string') {
    throw apiError('ORGANIZATION_MOVED', `This organization has moved to ${movedTo}. Send the request there.`, {
      address: movedTo,
    })
  }
  if (moving) {
    throw apiError('SERVICE_BUSY', `This organization is being moved. Try again in ${movingSeconds} s.`, {
      retryAfterSeconds: movingSeconds,
      outcome: 'not_sent',
    })
  }
}

/**
 * Throws NO_ACTIVE_PRODUCT when no product is active at all. A trial that has ended is PRODUCT_REQUIRED instead
 * (specification, "Free trial"), as is a feature that the active products lack.
 */
function requireProduct(access: Access, { caller, trialEnded }: Identity): void {
  const products = [...missingForRoute(access, caller.products, caller.kind !== 'user')]
  if (products.length === 0) return
  const names = products.join(', ')
  if (caller.products.size === 0 && !trialEnded) {
    throw apiError('NO_ACTIVE_PRODUCT', `The organization has no active product. This call needs one of: ${names}.`, {
      products,
    })
  }
  throw apiError('PRODUCT_REQUIRED', `This call needs an active product of: ${names}.`, { products })
}
