/** Currencies of ISO 4217 whose smallest unit is not a hundredth, with their decimals. */
const decimals: Readonly<Record<string, number>> = {
  ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0 },
  ...{ XAF: 0, XOF: 0, XPF: 0 },
  ...{ BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
}

/** The largest amount of a price or a fee, in whole units. */
export const maxAmount = 1_000_000_000

/** Returns how many decimals amounts in `currency` have. */
export function currencyDecimals(currency: string): number {
  return decimals[currency] ?? 2
}

/**
 * Returns an amount in the smallest unit of its currency: 12.5 EUR is 1250. Returns null for an amount with more
 * decimals than the currency has.
 */
export function toMinorUnits(amount: number, currency: string): number | null {
  const scaled = amount * 10 ** currencyDecimals(currency)
  const minor = Math.round(scaled)
  return Math.abs(scaled - minor) < 1e-4 ? minor : null
}

/** Returns an amount in whole units: 1250 in the smallest unit of EUR is 12.5. */
export function fromMinorUnits(minor: number, currency: string): number {
  return minor / 10 ** currencyDecimals(currency)
}

/** Returns an amount as text: `12.50 EUR`. */
export function formatMoney(minor: number, currency: string): string {
  return `${fromMinorUnits(minor, currency).toFixed(currencyDecimals(currency))} ${currency}`
}
