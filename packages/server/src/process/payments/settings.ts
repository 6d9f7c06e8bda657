import { readFileSync } from 'node:fs'
import { builtInPrices, type PriceList, parsePriceList } from '#billing/prices/price-list.ts'

/** The settings of payments, as they stand in the environment. */
interface PaymentEnvironment {
  readonly NODE_ENV?: string | undefined
  readonly PAYMENTS: 'off' | 'stripe' | 'simulated'
  readonly STRIPE_SECRET_KEY?: string | undefined
  readonly STRIPE_WEBHOOK_SECRET?: readonly string[] | undefined
  readonly PRICES_FILE?: string | undefined
  readonly BILLING_GRACE_DAYS: number
  readonly BILLING_TAX: 'none' | 'stripe'
  readonly BILLING_RETURN_URL?: string | undefined
  readonly PAYMENT_TIMEOUT_SECONDS: number
}

/** How a service takes payments. */
export interface PaymentSettings {
  readonly provider: 'stripe' | 'simulated'
  /** Of the provider; any text for the simulator. */
  readonly secretKey: string
  /** The secrets with which events are signed: two while one is replaced. Null: one of the data folder. */
  readonly webhookSecrets: readonly string[] | null
  readonly prices: PriceList
  /** How long products continue after the first failed attempt of a renewal. */
  readonly graceDays: number
  /** Whether the provider computes tax. */
  readonly tax: boolean
  /** Where the pages of the provider lead back. */
  readonly returnUrl: string
  readonly timeoutSeconds: number
}

/**
 * Returns the settings; null where the service takes no payments. `refuse` is called with the problem when settings do
 * not fit together.
 */
export function toPaymentSettings(
  set: PaymentEnvironment,
  publicUrl: string,
  refuse: (problem: string) => never,
): PaymentSettings | null {
  if (set.PAYMENTS === 'off') return null
  const production = set.NODE_ENV === 'production'
  const stripe = set.PAYMENTS === 'stripe'
  if (production && !stripe) return refuse('Not allowed with NODE_ENV=production: PAYMENTS=simulated')
  if (stripe && set.STRIPE_SECRET_KEY === undefined) return refuse('PAYMENTS=stripe needs STRIPE_SECRET_KEY.')
  if (stripe && set.STRIPE_WEBHOOK_SECRET === undefined) return refuse('PAYMENTS=stripe needs STRIPE_WEBHOOK_SECRET.')
  if (stripe && set.PRICES_FILE === undefined) return refuse('PAYMENTS=stripe needs PRICES_FILE, the list of prices.')
  if (production && set.STRIPE_SECRET_KEY?.includes('_test_')) {
    return refuse('STRIPE_SECRET_KEY is a test key: with NODE_ENV=production test cards would buy for nothing.')
  }
  return {
    provider: stripe ? 'stripe' : 'simulated',
    secretKey: stripe ? (set.STRIPE_SECRET_KEY ?? '') : 'sk_test_simulated',
    webhookSecrets: set.STRIPE_WEBHOOK_SECRET ?? null,
    prices: set.PRICES_FILE === undefined ? builtInPrices : readPrices(set.PRICES_FILE, refuse),
    graceDays: set.BILLING_GRACE_DAYS,
    tax: set.BILLING_TAX === 'stripe',
    returnUrl: set.BILLING_RETURN_URL ?? `${publicUrl}/console/billing`,
    timeoutSeconds: set.PAYMENT_TIMEOUT_SECONDS,
  }
}

function readPrices(file: string, refuse: (problem: string) => never): PriceList {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(`PRICES_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not a file'}).`)
  }
  try {
    return parsePriceList(text)
  } catch (error) {
    return refuse(`PRICES_FILE ${(error as Error).message}.`)
  }
}

/** What the settings of payments mean, for the reference. */
export const paymentSettings = {
  PAYMENTS: {
    group: 'Payments',
    meaning:
      'Whether organizations pay for products: `stripe` with real or test money, `simulated` with cards of the ' +
      'service itself, to try it. Refused in production: `simulated`.',
  },
  STRIPE_SECRET_KEY: {
    group: 'Payments',
    meaning: 'The key of the Stripe account; needed with `stripe`. A test key is refused in production.',
    values: '`sk_...`, or `rk_...` with fewer rights',
    unset: 'none',
  },
  STRIPE_SECRET_KEY_FILE: {
    group: 'Payments',
    meaning: 'The file with the value of `STRIPE_SECRET_KEY`.',
    values: 'a path',
    unset: '`STRIPE_SECRET_KEY` is used',
  },
  STRIPE_WEBHOOK_SECRET: {
    group: 'Payments',
    meaning: 'The secret with which Stripe signs its events; needed with `stripe`.',
    values: '`whsec_...`; two, separated by a comma, while one is replaced',
    unset: 'with `simulated` a random one, kept in `payment-secret` of the data folder',
  },
  STRIPE_WEBHOOK_SECRET_FILE: {
    group: 'Payments',
    meaning: 'The file with the value of `STRIPE_WEBHOOK_SECRET`.',
    values: 'a path',
    unset: '`STRIPE_WEBHOOK_SECRET` is used',
  },
  PRICES_FILE: {
    group: 'Payments',
    meaning: 'The list of what is for sale; needed with `stripe`. docs/use/guides/selling.md shows one.',
    values: 'a path of a JSON file',
    unset: 'a built-in list in US dollars with `simulated`',
  },
  BILLING_GRACE_DAYS: {
    group: 'Payments',
    meaning: 'How many days products continue after the first failed attempt of a renewal.',
  },
  BILLING_TAX: {
    group: 'Payments',
    meaning: '`stripe`: the provider computes tax and takes tax ids.',
  },
  BILLING_RETURN_URL: {
    group: 'Payments',
    meaning: 'Where the pages of the provider lead back.',
    values: 'like `https://example.com/console/billing`',
    unset: '`/console/billing` at PUBLIC_URL',
  },
  PAYMENT_TIMEOUT_SECONDS: {
    group: 'Payments',
    meaning: 'How long a call of the provider may take.',
  },
} as const
