import type { Product } from '@msgctl/contract'

/** What a plan consists of, as the metadata of prices names it: a product, or numbers beyond the included ones. */
export type PlanItem = Product | 'extra_numbers'

/** How often a plan is paid. */
export type PlanPeriod = 'month' | 'year'

/** One item of a plan. Products have the quantity 1. */
export interface PlanLine {
  readonly item: PlanItem
  readonly quantity: number
}

/** The card that pays, as the provider shows it. */
export interface ProviderCard {
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/** The record of an organization at the provider. Currencies are upper case, amounts minor units of ISO 4217. */
export interface ProviderCustomer {
  readonly id: string
  /** From its metadata; null for a customer that was made by hand. */
  readonly organizationId: string | null
  readonly email: string | null
  readonly name: string | null
  /** Of the billing address. */
  readonly country: string | null
  /** Null until the first invoice or subscription. */
  readonly currency: string | null
  /** What the provider owes the customer, taken off the next invoice; never negative. */
  readonly credit: number
  readonly card: ProviderCard | null
}

/** An item of a subscription, recognized by the metadata of its price. */
interface SubscriptionItem {
  readonly id: string
  /** Null for a price that is none of ours. */
  readonly item: PlanItem | null
  readonly quantity: number
  /** For the whole quantity and one period, before tax. */
  readonly amount: number
}

/** A change of items that waits for a payment. */
export interface PendingUpdate {
  readonly items: readonly PlanLine[]
  readonly period: PlanPeriod | null
  readonly expiresAt: Date
}

/** The words of the provider for the state of a subscription. */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

/** A subscription, whatever its state. */
export interface ProviderSubscription {
  readonly id: string
  readonly status: SubscriptionStatus
  readonly createdAt: Date
  readonly currency: string
  /** Null when the items have another period than ours. */
  readonly period: PlanPeriod | null
  readonly items: readonly SubscriptionItem[]
  /** From the items; null without any. */
  readonly currentPeriodStart: Date | null
  readonly currentPeriodEnd: Date | null
  /** When it stops, whichever of the two ways it was set to stop; null while it renews. */
  readonly endsAt: Date | null
  /** When it was over; null while it is not. */
  readonly endedAt: Date | null
  readonly pendingUpdate: PendingUpdate | null
}

/** Why an invoice was not paid. */
export type PaymentFailure = 'card_declined' | 'authentication_required'

/** A line of an invoice. */
export interface InvoiceLine {
  /** Null for a price that is none of ours. */
  readonly item: PlanItem | null
  readonly quantity: number
  /** Before tax; negative for the unused rest of what was paid. */
  readonly amount: number
  readonly prorated: boolean
  readonly description: string
}

/** An invoice that is no draft. */
export interface ProviderInvoice {
  readonly id: string
  readonly number: string | null
  readonly status: 'open' | 'paid' | 'void' | 'uncollectible'
  readonly subscriptionId: string | null
  /** `first` begins a subscription, `renewal` a period, `change` is what a change costs. */
  readonly kind: 'first' | 'renewal' | 'change' | 'other'
  readonly currency: string
  readonly subtotal: number
  readonly tax: number
  readonly total: number
  /** What was paid by card; what credit paid is not in it. */
  readonly paid: number
  /** What is still to be paid. */
  readonly remaining: number
  readonly refunded: number
  readonly disputed: boolean
  readonly createdAt: Date
  readonly paidAt: Date | null
  /** What its lines pay for: not the period of the invoice itself, which is the one before. */
  readonly periodStart: Date
  readonly periodEnd: Date
  /** The page on which a person pays it; null unless it is open. */
  readonly payUrl: string | null
  readonly nextAttemptAt: Date | null
  /** How often the provider tried to take the money. */
  readonly attempts: number
  /** Of the last attempt; null unless it is open and an attempt failed. */
  readonly failure: PaymentFailure | null
  /** One of {@link declineCodes}; null unless the card was declined. */
  readonly declineCode: string | null
  readonly lines: readonly InvoiceLine[]
}

/** A page on which a person buys. */
export interface ProviderCheckout {
  readonly id: string
  readonly status: 'open' | 'complete' | 'expired'
  /** Null once it is not open. */
  readonly url: string | null
  readonly expiresAt: Date
}

/** All that the provider knows of one customer. */
export interface ProviderState {
  readonly customer: ProviderCustomer
  /** All of them, ended ones too, oldest first. */
  readonly subscriptions: readonly ProviderSubscription[]
  /** The last 20 that are no drafts, newest first. */
  readonly invoices: readonly ProviderInvoice[]
  /** The last 5, newest first. */
  readonly checkouts: readonly ProviderCheckout[]
  readonly livemode: boolean
}

/** Returns whether a subscription has an item of the price list. Others are the operator's business with a customer. */
export function isOurs({ items }: Pick<ProviderSubscription, 'items'>): boolean {
  return items.some(({ item }) => item !== null)
}

/** Returns whether a subscription has ended, or never began. */
export function isOver({ status }: Pick<ProviderSubscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}
