/** The products an organization can hold (specification, "Authentication"). */
export const products = ['notify', 'assistant', 'shop', 'developer', 'connect'] as const
export type Product = (typeof products)[number]

/** The features a product unlocks, in the order GET /me shows them (specification, "Account"). */
export const features = [
  'send',
  'batch',
  'api',
  'otp',
  'media',
  'webhooks',
  'campaigns',
  'reminders',
  'inbox',
  'bots',
] as const
export type Feature = (typeof features)[number]

/** The roles in an organization. An account key acts as an admin. */
export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/**
 * The credentials that a route accepts. `any`: an account key, a signed-in user or a number's key. `account`: the first
 * two. `none`: a signed-in user only. `public`: no credential is needed.
 */
export type KeyKinds = 'any' | 'account' | 'none' | 'public'

/** The access rule of a route. Without `feature` it is open to every organization, without `roles` to every role. */
export interface Access {
  readonly feature?: Feature
  /** The one product that it needs, where a feature is unlocked by others too: the routes of a shop. */
  readonly product?: Product
  readonly keys: KeyKinds
  readonly roles?: readonly Role[]
  /** Only the owner may call it: others get NOT_OWNER. */
  readonly owner?: true
  /** Only people of an organization of the operator's staff may call it, with two steps: others get ADMIN_ONLY. */
  readonly platform?: true
  /** It works for a person without two-step sign-in in an organization that requires it. */
  readonly withoutTwoFactor?: true
}

/** One product of `anyOf` unlocks the feature. An API key also needs one of `apiKeyAlsoRequires`. */
export interface Unlock {
  readonly anyOf: readonly Product[]
  readonly apiKeyAlsoRequires?: readonly Product[]
}

const forKeys = ['developer', 'connect'] as const

/** The products that unlock each feature (specification, "Products and what a key reaches"). */
export const unlockedBy = {
  send: { anyOf: products },
  batch: { anyOf: ['notify', 'developer', 'connect'] },
  api: { anyOf: products },
  otp: { anyOf: ['developer'] },
  media: { anyOf: ['developer'] },
  webhooks: { anyOf: ['assistant', 'shop', 'developer'] },
  campaigns: { anyOf: ['notify'], apiKeyAlsoRequires: forKeys },
  reminders: { anyOf: ['notify'], apiKeyAlsoRequires: forKeys },
  inbox: { anyOf: ['connect'] },
  bots: { anyOf: ['assistant', 'shop'] },
} as const satisfies Record<Feature, Unlock>

/**
 * Returns the products of which one would unlock `feature` for a caller who holds `active`. The list is empty when the
 * feature is unlocked already. It is `details.products` of PRODUCT_REQUIRED.
 */
export function missingProducts(feature: Feature, active: ReadonlySet<Product>, byKey: boolean): readonly Product[] {
  const unlock: Unlock = unlockedBy[feature]
  const groups = byKey && unlock.apiKeyAlsoRequires ? [unlock.anyOf, unlock.apiKeyAlsoRequires] : [unlock.anyOf]
  return groups.find((group) => !group.some((product) => active.has(product))) ?? []
}

/**
 * Returns the products of which one would open a route for a caller who holds `active`: those of its feature, or the
 * one that it needs itself. The list is empty when the route is open.
 */
export function missingForRoute(
  { feature, product }: Pick<Access, 'feature' | 'product'>,
  active: ReadonlySet<Product>,
  byKey: boolean,
): readonly Product[] {
  const missing = feature === undefined ? [] : missingProducts(feature, active, byKey)
  if (product === undefined || active.has(product)) return missing
  return [product]
}

/** Returns the features that `active` unlocks for this kind of caller, in the order of {@link features}. */
export function listFeatures(active: ReadonlySet<Product>, byKey: boolean): Feature[] {
  return features.filter((feature) => missingProducts(feature, active, byKey).length === 0)
}
