import type { Actor } from '#api/activity/log.ts'

/** Who caused what a refresh finds. */
export const payments: Actor = { kind: 'payments', id: null }

/** An operation that ends with what is applied. */
export interface Finished {
  readonly id: string
  readonly state: 'done' | 'refused'
  readonly providerRef?: string | null
}

/** How a refresh is done. */
export interface RefreshOptions {
  /** Who is named in the log (default: the provider). */
  readonly actor?: Actor
  /** Whether a difference was to be expected, although no event announced it. */
  readonly expected?: boolean
  /** Operations that end with what is applied. */
  readonly finished?: readonly Finished[]
}
