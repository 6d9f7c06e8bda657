import { locale } from '../words/language.ts'

/** Returns an amount in a currency of ISO 4217, as the reader's region writes it. */
export function money(amount: number, currency: string | null): string {
  if (currency === null) return new Intl.NumberFormat(locale).format(amount)
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
}
