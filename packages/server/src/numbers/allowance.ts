import { limits, type Product } from '@msgctl/contract'

/** How many numbers an organization may have, and how many it has. */
export interface Allowance {
  /** Null: no limit. */
  readonly maxSessions: number | null
  readonly canCreate: boolean
  readonly capped: boolean
  readonly included: number
  readonly extra: number
  readonly used: number
  readonly max: number
  readonly over: number
}

/**
 * Computes how many numbers the products allow (specification, "GET /session/list"): 3 plus extras with Developer or
 * Connect, no limit with other products only, none without an active product.
 */
export function computeAllowance(products: ReadonlySet<Product>, extra: number, used: number): Allowance {
  const limited = products.has('developer') || products.has('connect')
  const unlimited = products.size > 0 && !limited
  const included = limited ? limits.includedNumbers : 0
  const bought = limited ? extra : 0
  const max = included + bought
  return {
    maxSessions: unlimited ? null : max,
    canCreate: unlimited || used < max,
    capped: !unlimited,
    included,
    extra: bought,
    used,
    max,
    over: unlimited ? 0 : Math.max(0, used - max),
  }
}

/**
 * Returns how many numbers an organization has at most, also with products that do not limit them: each is watched and
 * connected by the workers that all organizations share.
 */
export function numberQuota({ trial }: { readonly trial: boolean }): number {
  return trial ? limits.numbers.trialRows : limits.numbers.rows
}
