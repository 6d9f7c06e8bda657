import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import { newEvent } from './objects/event.ts'

/** A page for buying, with what it sells. */
export interface Checkout {
  session: Stripe.Checkout.Session
  readonly lines: readonly { price: string; quantity: number }[]
}

/** What a subscription becomes when its change is paid. */
interface PendingChange {
  readonly subscription: string
  readonly invoice: string
  readonly items: Stripe.SubscriptionItem[]
  /** Since when the period counts, when the change begins a new one. */
  readonly anchor: number | null
}

/** All that the simulated provider knows of one customer. It is stored whole. */
export interface World {
  customer: Stripe.Customer
  deleted: boolean
  /** Whether a tax id was given: then there is no tax. */
  taxId: boolean
  readonly cards: Stripe.PaymentMethod[]
  readonly checkouts: Checkout[]
  readonly portals: Stripe.BillingPortal.Session[]
  readonly subscriptions: Stripe.Subscription[]
  readonly invoices: Stripe.Invoice[]
  readonly intents: Stripe.PaymentIntent[]
  readonly charges: Stripe.Charge[]
  readonly refunds: Stripe.Refund[]
  readonly disputes: Stripe.Dispute[]
  pending: PendingChange[]
}

/** A customer about whom nothing else is known. */
export function emptyWorld(customer: Stripe.Customer): World {
  return {
    customer,
    deleted: false,
    taxId: false,
    cards: [],
    checkouts: [],
    portals: [],
    subscriptions: [],
    invoices: [],
    intents: [],
    charges: [],
    refunds: [],
    disputes: [],
    pending: [],
  }
}

/** What the rules work with: one customer, at one moment. */
export interface Play {
  readonly world: World
  /** Unix seconds. It moves while what is due is played. */
  now: number
  readonly prices: readonly Stripe.Price[]
  readonly products: readonly Stripe.Product[]
  /** Per cent of tax by country. */
  readonly tax: Readonly<Record<string, number>>
  /** Where the pages are, without a slash at the end. */
  readonly pages: string
  /** What happened, oldest first. */
  readonly events: Stripe.Event[]
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `length` random letters and digits. */
export function randomText(length: number): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')
}

const keyLength = 14

/** The part of each id that says whose it is: all objects of one customer have it. */
export function keyOf(id: string): string {
  return id.replace(/^(cs_test|[a-z]+)_/, '').slice(0, keyLength)
}

/** Returns the id of a new customer. */
export function newCustomerId(): string {
  return `cus_${randomText(keyLength)}`
}

/** Returns the id of a new object of the customer, such as `in_...`. */
export function newId(play: Play, prefix: string): string {
  return `${prefix}_${keyOf(play.world.customer.id)}${randomText(10)}`
}

/** Notes what happened. */
export function emit(play: Play, type: string, object: object): void {
  play.events.push(newEvent({ id: newId(play, 'evt'), now: play.now }, type, object))
}

/** Something that the provider refuses, in its shape. */
export class Refusal extends Error {
  readonly status: number
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error'
  readonly code: string | undefined
  readonly declineCode: string | undefined

  constructor(
    message: string,
    { status = 400, type = 'invalid_request_error', code, declineCode }: Partial<Refusal> = {},
  ) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
    this.declineCode = declineCode
  }
}

/** Returns one of `objects` by its id. Throws `resource_missing`. */
export function byId<T extends { readonly id?: string }>(objects: readonly T[], id: string, kind: string): T {
  const found = objects.find((object) => object.id === id)
  if (!found) throw missing(kind, id)
  return found
}

/** What the provider says about an id that it does not know. */
export function missing(kind: string, id: string): Refusal {
  return new Refusal(`No such ${kind}: '${id}'`, { status: 404, code: 'resource_missing' })
}
