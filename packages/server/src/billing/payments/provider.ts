import type { PriceList } from '#billing/prices/price-list.ts'
import type {
  PaymentFailure,
  PlanItem,
  PlanLine,
  PlanPeriod,
  ProviderCheckout,
  ProviderState,
} from './provider-records.ts'

/** Whose statement a call is: its idempotency key, which was committed before the call. */
interface Keyed {
  /** `<operation id>:<step>`, or `customer:<organization id>`; at most 255 characters. */
  readonly key: string
}

/** What a person buys on a page of the provider. */
export interface NewCheckout extends Keyed {
  readonly customerId: string
  readonly lines: readonly PlanLine[]
  readonly period: PlanPeriod
  readonly currency: string
  /** Where the page leads back to, after buying or not. */
  readonly returnUrl: string
  readonly expiresAt: Date
}

/** What is previewed: the items that a plan would have. */
export interface PreviewQuery {
  /** Null before the organization has a customer. */
  readonly customerId: string | null
  /** Null before the first payment. */
  readonly subscriptionId: string | null
  /** The present ones named by their id; without a subscription only new ones. */
  readonly changes: readonly ItemChange[]
  readonly period: PlanPeriod
  readonly currency: string
  /** For the tax of an organization without a customer. */
  readonly country: string | null
}

/** What a change would cost. */
export interface ProviderPreview {
  readonly currency: string
  /** Charged at once, with tax; 0 when nothing is. */
  readonly dueNow: number
  readonly tax: number
  /** What the customer is owed afterwards and did not have before: 0 unless the change pays back. */
  readonly credit: number
  /** Of the next invoice of a whole period, with tax. */
  readonly nextTotal: number
  readonly nextAt: Date
  readonly lines: readonly { readonly description: string; readonly amount: number }[]
}

/** One change of the items of a subscription; what is not named stays as it is. */
export type ItemChange =
  /** An item that comes. */
  | { readonly item: PlanItem; readonly quantity: number }
  /** A present item that becomes another, or another many; its price is the present one of the list. */
  | { readonly id: string; readonly item: PlanItem; readonly quantity: number }
  /** A present item that leaves. */
  | { readonly id: string; readonly deleted: true }

/** A change of the items of a subscription. */
export interface PlanChange extends Keyed {
  readonly subscriptionId: string
  readonly changes: readonly ItemChange[]
  /** All items of the changed subscription have it. */
  readonly period: PlanPeriod
  readonly currency: string
  /**
   * True (for all that may cost something): nothing changes unless it is paid. Then no item may leave. False: for items
   * that leave, in a second call.
   */
  readonly ifPaid: boolean
}

/** What became of a change: it is done, or waits for a payment as `pendingUpdate` of the subscription. */
export interface ChangeResult {
  readonly done: boolean
  /** The invoice of this change; null when nothing was due. */
  readonly invoiceId: string | null
  /** Of the invoice that is not paid; null when the change is done. */
  readonly failure: PaymentFailure | null
  readonly declineCode: string | null
  readonly payUrl: string | null
  readonly expiresAt: Date | null
}

/** The pages of a paid invoice. They expire, so they are read each time. */
interface ProviderReceipt {
  readonly number: string
  readonly url: string
  readonly pdfUrl: string
}

/** An event that was rightly signed. Nothing of its content is believed but whom it is about. */
export interface ProviderEvent {
  readonly id: string
  readonly type: string
  readonly createdAt: Date
  readonly livemode: boolean
  /** Null when it names none; a dispute names a charge instead. */
  readonly customerId: string | null
  readonly chargeId: string | null
}

/** Why the signature of an event was refused. */
export type SignatureFailure = 'missing' | 'malformed' | 'mismatch' | 'expired'

/**
 * What the service calls of the provider: twelve functions, over Stripe's HTTP API or the simulator of it. Calls that
 * change something carry an idempotency key: repeated with the same input, they do it once. All throw
 * {@link ProviderError}.
 */
export interface Provider {
  /** True with a live key: real money. The simulator and a test key are not live. */
  readonly livemode: boolean
  /**
   * Returns the customer with the organization in its metadata, or the one who owns a charge, by their id; null without
   * one. A new customer can be found by its organization after a minute only.
   */
  findCustomer(by: { readonly organizationId: string } | { readonly chargeId: string }): Promise<string | null>
  /** Makes a customer, or changes the one with `id`; returns its id. */
  saveCustomer(
    customer: Keyed & {
      readonly id?: string
      readonly organizationId: string
      readonly email: string
      readonly name: string
      /** Sets the country of the billing address, for tax. */
      readonly country?: string | null
    },
  ): Promise<string>
  /** Returns all about a customer; null when it was deleted or never was. */
  read(customerId: string): Promise<ProviderState | null>
  /** Opens a page on which a person buys the first plan. */
  openCheckout(checkout: NewCheckout): Promise<ProviderCheckout & { readonly url: string }>
  /** Closes a page; does nothing when it is complete or expired. */
  expireCheckout(checkoutId: string): Promise<void>
  /** Returns what a change would cost; changes nothing. */
  preview(query: PreviewQuery): Promise<ProviderPreview>
  /** Changes the items of a subscription. */
  change(change: PlanChange): Promise<ChangeResult>
  /**
   * Sets a subscription to stop at the end of its period, ends it now without paying anything back, or lets it renew
   * again, whichever way it was set to stop. Ending one that is over does nothing.
   */
  stop(subscriptionId: string, when: 'period_end' | 'now' | 'never', keyed: Keyed): Promise<void>
  /** Voids an open invoice, pays a paid one back whole; does nothing with another. */
  undoInvoice(invoiceId: string, keyed: Keyed): Promise<void>
  /** Opens the page on which a person changes card, tax id and billing e-mail; returns its address. */
  openPortal(customerId: string, returnUrl: string): Promise<string>
  /** Returns the pages of an invoice; null unless it is paid. */
  receipt(invoiceId: string): Promise<ProviderReceipt | null>
  /**
   * Verifies the header `stripe-signature` over the bytes of an event, by the clock of this machine, and reads it.
   * Returns the reason when the signature is refused, `not_json` and `no_event` for rightly signed bytes that are none.
   */
  readEvent(
    bytes: Uint8Array,
    signature: string | undefined,
  ): ProviderEvent | SignatureFailure | 'not_json' | 'no_event'
}

/** A call that was made. */
export interface ProviderCall {
  /** The name of the function, such as `change`. */
  readonly name: keyof Provider
  readonly outcome: 'ok' | ProviderFailure['kind']
  readonly seconds: number
  /** The error as the provider's library names it, without its message; null when it worked. */
  readonly error: string | null
}

/** What the provider is called with. */
export interface ProviderOptions {
  /** `sk_` or `rk_`; any text for the simulator. */
  readonly secretKey: string
  /** The secrets with which events are signed: two while one is replaced. */
  readonly webhookSecrets: readonly string[]
  readonly timeoutSeconds: number
  /** Whether the provider computes tax, and the page for buying takes tax ids. */
  readonly tax: boolean
  /** What carries the calls instead of the network: the simulator. */
  readonly fetch?: typeof fetch
  /** The prices that the simulator gets by itself; for the provider `msgctl-server billing setup` makes them. */
  readonly seed?: PriceList
  /** Called after each call, for metrics and the log. */
  readonly observe?: (call: ProviderCall) => void
}

/** Why a call failed. */
export type ProviderFailure =
  /** No response, a broken one, or a provider that does not take calls now. */
  | { readonly kind: 'unavailable'; readonly outcome: 'not_done' | 'unknown'; readonly misconfigured: boolean }
  /** The card was declined, or its owner has to confirm. */
  | { readonly kind: 'card'; readonly reason: PaymentFailure; readonly declineCode: string | null }
  /** The price list has an item that the provider does not: `msgctl-server billing setup` was not run. */
  | { readonly kind: 'no_price'; readonly items: readonly PlanItem[] }
  /** What the call named is gone. */
  | { readonly kind: 'missing' }
  /** Anything else that the provider refuses. */
  | { readonly kind: 'refused' }

/** A call of the provider that failed. Its message names the call and the kind of the error, no body and no id. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure

  constructor(call: string, failure: ProviderFailure, options?: { readonly cause?: unknown }) {
    super(`The payment provider failed at ${call}: ${failure.kind}`, options)
    this.name = 'ProviderError'
    this.failure = failure
  }
}

/** The reasons of declined cards that are passed on; any other is `generic_decline`. */
export const declineCodes = [
  'authentication_required',
  'card_not_supported',
  'card_velocity_exceeded',
  'currency_not_supported',
  'expired_card',
  'generic_decline',
  'incorrect_cvc',
  'incorrect_number',
  'insufficient_funds',
  'processing_error',
  'try_again_later',
] as const
