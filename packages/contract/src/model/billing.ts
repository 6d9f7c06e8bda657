import * as z from 'zod'
import { limits } from './limits.ts'
import type { Move } from './moves.ts'

/** The statuses of a subscription. */
export const billingStatuses = ['none', 'incomplete', 'active', 'past_due', 'unpaid', 'ended'] as const
export type BillingStatus = (typeof billingStatuses)[number]

/** How often a plan is paid. */
export const billingPeriods = ['month', 'year'] as const
export type BillingPeriod = (typeof billingPeriods)[number]

/** What the money of a service is: test money of its own or of the provider, or real money. */
export const billingModes = ['simulated', 'test', 'live'] as const
export type BillingMode = (typeof billingModes)[number]

/** The statuses of an invoice. */
export const invoiceStatuses = ['open', 'paid', 'void', 'uncollectible'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** Why a change of what is paid is refused: the values of `details.reason` of PAYMENT_CHANGE_REFUSED. */
export const changeRefusals = [
  'already_subscribed',
  'payment_open',
  'ending',
  'granted',
  'not_for_sale',
  'no_capped_product',
  'card_declined',
  'authentication_required',
  'in_progress',
  'provider',
] as const
export type ChangeRefusal = (typeof changeRefusals)[number]

/** Why a card was declined, in the words of card networks. New ones may appear. */
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
export type DeclineCode = (typeof declineCodes)[number]

/** The transitions of a subscription. What the provider says is applied also where no row allows it. */
export const billingMoves: readonly Move<BillingStatus>[] = [
  {
    from: ['none'],
    to: 'incomplete',
    by: 'step_needed',
    when: 'A subscription exists whose first payment is not complete; nothing works yet.',
  },
  {
    from: ['none', 'incomplete', 'ended'],
    to: 'active',
    by: 'first_payment',
    when: 'The first invoice is paid: the products work, and the country is locked.',
  },
  { from: ['incomplete'], to: 'none', by: 'expired', when: 'The first payment was not completed within 23 h.' },
  {
    from: ['active'],
    to: 'past_due',
    by: 'payment_failed',
    when: 'A renewal was declined or needs the person; the products continue until graceEndsAt.',
  },
  {
    from: ['past_due', 'unpaid'],
    to: 'active',
    by: 'paid',
    when: 'The open invoice is paid, by a later attempt or by hand: the products work at once.',
  },
  {
    from: ['past_due'],
    to: 'unpaid',
    by: 'grace_over',
    when: 'The days of grace passed, or the provider gave up; the products pause, and nothing is deleted.',
  },
  {
    from: ['active', 'past_due', 'unpaid'],
    to: 'ended',
    by: 'end',
    when: 'The end that was requested, cancelled at the provider, or the organization was deleted.',
  },
]

/** Every country of ISO 3166-1 alpha-2. */
const countries = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

/** Returns whether `code` is a country of ISO 3166-1, in capitals. */
export function isCountry(code: string): boolean {
  return countries.has(code)
}

/** A country in a request, in any case. Parsing returns capitals. */
export const country = z
  .string()
  .max(limits.billing.country)
  .overwrite((code) => code.trim().toUpperCase())
  .refine(isCountry, {
    error: 'must be a country of ISO 3166-1, like DE',
    params: { code: 'invalid_enum' },
  })
