import type { Stripe } from 'stripe'

/** What a test card does. */
interface CardRule {
  /** Why a payment with the person present fails; null when it works. */
  readonly buying: string | null
  /** Why a payment without the person fails; null when it works. */
  readonly renewing: string | null
  /** Whether the person is asked to confirm when they are present. */
  readonly asks: boolean
  readonly disputed: boolean
}

const works: CardRule = { buying: null, renewing: null, asks: false, disputed: false }

/** Stripe's own test cards, by their numbers. */
const rules: Readonly<Record<string, CardRule>> = {
  '4242424242424242': works,
  '4000000000000002': { ...works, buying: 'generic_decline', renewing: 'generic_decline' },
  '4000000000009995': { ...works, buying: 'insufficient_funds', renewing: 'insufficient_funds' },
  '4000000000000341': { ...works, buying: 'generic_decline', renewing: 'generic_decline' },
  '4000002500003155': { ...works, asks: true },
  '4000002760003184': { ...works, asks: true, renewing: 'authentication_required' },
  '4000000000000259': { ...works, disputed: true },
}

/** The cards that a page offers, with what they do. */
export const offeredCards: readonly { readonly number: string; readonly does: string }[] = [
  { number: '4242 4242 4242 4242', does: 'pays' },
  { number: '4000 0000 0000 0002', does: 'is declined' },
  { number: '4000 0000 0000 9995', does: 'is declined: insufficient funds' },
  { number: '4000 0000 0000 0341', does: 'can be stored, and every payment is declined' },
  { number: '4000 0025 0000 3155', does: 'asks the person once, then renews by itself' },
  { number: '4000 0027 6000 3184', does: 'asks the person for every payment' },
  { number: '4000 0000 0000 0259', does: 'pays, and is disputed at once' },
]

/** Returns the digits of a test card; null for any other number, which nothing keeps. */
export function testCard(text: string): string | null {
  const digits = text.replaceAll(/[ -]/g, '')
  return rules[digits] === undefined ? null : digits
}

/** Whether a card can be stored without a payment: those that are declined when they are bought with cannot. */
export function canBeStored(digits: string): boolean {
  return !/(0002|9995)$/.test(digits)
}

function ruleOf(last4: string): CardRule {
  const found = Object.entries(rules).find(([digits]) => digits.endsWith(last4))
  return found?.[1] ?? works
}

/** How a payment comes about. */
export interface Presence {
  /** Whether the person is at the page. */
  readonly present: boolean
  /** Whether the person confirms when asked. */
  readonly authenticates: boolean
}

/** Returns why a payment with the card fails; null when it works. */
export function failureOf(card: Stripe.PaymentMethod, { present, authenticates }: Presence): string | null {
  const rule = ruleOf(card.card?.last4 ?? '')
  if (!present) return rule.renewing
  if (rule.buying !== null) return rule.buying
  return rule.asks && !authenticates ? 'authentication_required' : null
}

/** Whether a payment with the card is disputed as soon as it was made. */
export function isDisputed(card: Stripe.PaymentMethod): boolean {
  return ruleOf(card.card?.last4 ?? '').disputed
}

/** Whether the person has to confirm before the card is stored. */
export function asksWhenStored(digits: string): boolean {
  return rules[digits]?.asks ?? false
}
