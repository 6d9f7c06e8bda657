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

/** Who acts inside an organization. An account key acts as an admin. */
export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/**
 * Which credentials a route takes: `any` an account key, a signed-in user or a number's key; `account` the first two;
 * `none` a signed-in user only; `public` no credential at all.
 */
export type KeyKinds = 'any' | 'account' | 'none' | 'public'

/** The gate of one route. Without `feature` the route is open to every organization; without `roles` to every role. */
export interface Access {
  readonly feature?: Feature
  readonly keys: KeyKinds
  readonly roles?: readonly Role[]
}

/** One product of `anyOf` unlocks the feature; an API key also needs one of `apiKeyAlsoRequires`. */
export interface Unlock {
  readonly anyOf: readonly Product[]
  readonly apiKeyAlsoRequires?: readonly Product[]
}

const forKeys = ['developer', 'connect'] as const

/** The one table from features to products (specification, "Products and what a key reaches"). */
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
 * The products that would unlock `feature` for a caller who holds `active`: an empty list when it is unlocked already,
 * otherwise the first group of which one is missing. This is `details.products` of PRODUCT_REQUIRED.
 */
export function missingProducts(feature: Feature, active: ReadonlySet<Product>, byKey: boolean): readonly Product[] {
  const unlock: Unlock = unlockedBy[feature]
  const groups = byKey && unlock.apiKeyAlsoRequires ? [unlock.anyOf, unlock.apiKeyAlsoRequires] : [unlock.anyOf]
  return groups.find((group) => !group.some((product) => active.has(product))) ?? []
}

/** The features that `active` unlocks for this kind of caller, in the order of {@link features}. */
export function listFeatures(active: ReadonlySet<Product>, byKey: boolean): Feature[] {
  return features.filter((feature) => missingProducts(feature, active, byKey).length === 0)
}
