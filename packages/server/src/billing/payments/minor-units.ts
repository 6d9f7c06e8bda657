import { currencyDecimals } from '@msgctl/contract'

/** Currencies whose amounts have other decimals at Stripe than in ISO 4217. */
const providerDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

function factor(currency: string): number {
  const ours = currencyDecimals(currency)
  return 10 ** ((providerDecimals[currency] ?? ours) - ours)
}

/** Returns an amount in minor units of ISO 4217 as the provider's: 500 ISK are 50000 there. */
export function toProvider(amount: number, currency: string): number {
  return amount * factor(currency)
}

/** Returns an amount of the provider in minor units of ISO 4217. */
export function fromProvider(amount: number, currency: string): number {
  return Math.round(amount / factor(currency))
}

/** Returns what amounts at the provider must be a multiple of: 10 with three decimals, 100 for ISK and UGX. */
export function providerStep(currency: string): number {
  if (currencyDecimals(currency) === 3) return 10
  return Math.max(1, factor(currency))
}

/** Returns why the provider cannot charge `amount`, in minor units of ISO 4217; null when it can. */
export function amountFault(amount: number, currency: string): string | null {
  if (currencyDecimals(currency) === 3 && amount % 10 !== 0) return `amounts in ${currency} must end in 0`
  if (!Number.isInteger(toProvider(amount, currency))) return `amounts in ${currency} must end in 00`
  return null
}
