import { formatMoney } from '@msgctl/contract'

/** Returns an amount of the smallest unit of a currency as the API shows it. */
export function toMoney(amount: number, currency: string): { amount: number; currency: string; text: string } {
  return { amount, currency, text: formatMoney(amount, currency) }
}
