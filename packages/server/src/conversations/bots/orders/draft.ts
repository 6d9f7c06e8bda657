import type { BotTextName } from '@msgctl/contract'

/** A product as customers see it. Amounts are in the smallest unit of the currency. */
export interface CatalogueProduct {
  readonly id: string
  readonly name: string
  readonly price: number
  /** Null without a count. */
  readonly stock: number | null
  readonly available: boolean
}

/** What a shop sells, and what it asks for. */
export interface Catalogue {
  readonly currency: string
  readonly deliveryFee: number
  readonly minimumOrder: number
  readonly asks: { readonly name: boolean; readonly address: boolean; readonly note: boolean }
  /** In the order of the menu. */
  readonly products: readonly CatalogueProduct[]
}

/** Where an order stands. `idle`: nothing is ordered. */
export type Step = 'idle' | 'browsing' | 'quantity' | 'cart' | 'name' | 'address' | 'note' | 'confirming'

interface DraftLine {
  readonly productId: string
  readonly quantity: number
}

/** An order that is not placed yet. */
export interface Draft {
  readonly step: Step
  readonly page: number
  /** The products that were shown last, by their number. */
  readonly options: readonly string[]
  /** The product whose quantity was asked for. */
  readonly pick: string | null
  readonly lines: readonly DraftLine[]
  readonly name: string | null
  readonly address: string | null
  readonly note: string | null
  /** The hash of the summary that the customer was asked to confirm. */
  readonly summary: string | null
}

export const emptyDraft: Draft = {
  step: 'idle',
  page: 0,
  options: [],
  pick: null,
  lines: [],
  name: null,
  address: null,
  note: null,
  summary: null,
}

/** What a customer wants, as far as orders are concerned. */
export type Intent =
  | { readonly is: 'menu' | 'next' | 'cart' | 'checkout' | 'yes' | 'no' | 'cancel' }
  | { readonly is: 'number'; readonly number: number }
  /** Several products have this name. A quantity that was named with it is null otherwise. */
  | { readonly is: 'item'; readonly productIds: readonly string[]; readonly quantity: number | null }
  /** By the number of a line, or by products. */
  | { readonly is: 'remove'; readonly line: number | null; readonly productIds: readonly string[] }
  | { readonly is: 'text'; readonly text: string }

/** One line that is said: a text of the assistant with values, or words as they are. */
export type Said =
  | { readonly text: BotTextName; readonly values?: Readonly<Record<string, string>> }
  | { readonly words: string }

/** An order to place, with names and prices as they are now. */
export interface Placement {
  readonly lines: readonly {
    readonly productId: string
    readonly name: string
    readonly price: number
    readonly quantity: number
  }[]
  readonly deliveryFee: number
  readonly total: number
  readonly currency: string
  readonly name: string | null
  readonly address: string | null
  readonly note: string | null
}
